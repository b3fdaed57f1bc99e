import type { JsonObject } from '../../jsonrpc/message.ts';
import { tasksExtension } from '../../revisions/tasks-extension.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { HostHandlers } from './host-handlers.ts';

/** The capabilities that a client declares at `revision`: one for each function that the host provides. */
export function capabilitiesOf(host: HostHandlers, revision: Revision): JsonObject {
  if (host.capabilities) return host.capabilities;
  const { stateless } = revision;
  return {
    ...(host.elicit && { elicitation: { form: {}, ...(host.elicitsUrls && { url: {} }) } }),
    ...(host.sample && { sampling: host.samplesTools ? { tools: {} } : {} }),
    ...(host.roots && { roots: stateless ? {} : { listChanged: true } }),
    ...extensionsOf(host, stateless),
  };
}

function extensionsOf({ extensions, tasks }: HostHandlers, stateless: boolean): JsonObject {
  const declared = { ...(stateless && tasks !== false && { [tasksExtension.id]: {} }), ...extensions };
  return Object.keys(declared).length > 0 ? { extensions: declared } : {};
}
