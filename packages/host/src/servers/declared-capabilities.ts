import type { Client, ClientOptions } from '@mcp/protocol/client';
import type { Capabilities } from '../trust/capability-set.ts';
import { isStateless } from './is-stateless.ts';

/** The capabilities that a client with these options has declared to its server. */
export function declaredCapabilities(client: Client, options: ClientOptions): Capabilities {
  if (options.capabilities) return options.capabilities;
  const hasTasks = isStateless(client) && options.tasks !== false;
  return {
    ...(options.elicit && { elicitation: { form: {}, ...(options.elicitsUrls && { url: {} }) } }),
    ...(options.sample && { sampling: options.samplesTools ? { tools: {} } : {} }),
    ...(options.roots && { roots: {} }),
    ...(hasTasks && { extensions: { 'io.modelcontextprotocol/tasks': {} } }),
  };
}
