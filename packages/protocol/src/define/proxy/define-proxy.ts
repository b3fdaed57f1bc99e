import { LiveList } from '../live-list.ts';
import { refuseNameless } from '../mistakes.ts';
import type { ProxyDefinition } from './proxy.ts';
import { type Server, withInternals } from '../server.ts';

/**
 * Defines a server that passes requests on to other servers: its lists and answers come from functions and
 * differ by client. Like a server of `defineServer`, it can be served in every revision and on every
 * transport.
 * @example
 * ```ts
 * import { defineProxy } from '@mcp/protocol/proxy';
 *
 * const empty = () => Promise.resolve({ result: { tools: [] }, revision: '2025-11-25' });
 * defineProxy({
 *   name: 'empty',
 *   version: '1.0.0',
 *   session: () => ({
 *     describe: () => Promise.resolve({ capabilities: { tools: {} } }),
 *     request: empty,
 *     inputSchema: () => Promise.resolve(undefined),
 *     watchResource: () => Promise.reject(new Error('No resources')),
 *     watchList: () => Promise.resolve(() => {}),
 *     watchTasks: () => Promise.resolve({ watchable: [], stop() {} }),
 *     setLogLevel: () => Promise.resolve(),
 *     rootsChanged() {},
 *     close: () => Promise.resolve(),
 *   }),
 * });
 * ```
 */
export function defineProxy(proxy: ProxyDefinition): Server {
  refuseNameless(proxy);
  const { name, version, title, description, websiteUrl, icons, observe } = proxy;
  const all = { tools: true, resources: true, prompts: true };
  const server = {
    definition: {
      name,
      version,
      logging: true,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(websiteUrl !== undefined && { websiteUrl }),
      ...(icons !== undefined && { icons }),
      ...(observe !== undefined && { observe }),
    },
    context: {},
    tools: new LiveList<never>(),
    resources: new LiveList<never>(),
    prompts: new LiveList<never>(),
  };
  return withInternals(server, {
    live: all,
    deferred: all,
    load: undefined,
    proxy,
  });
}
