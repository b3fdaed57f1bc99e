import type { ProxyResult, ProxySession } from '../../define/proxy/proxy.ts';
import { textOf } from '../../jsonrpc/json-source.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import { adaptResult } from '../../revisions/adapt-result.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import { modern, revisionNamed } from '../../revisions/table.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { complete, noCache, type Result } from '../call/result.ts';
import { listen, type WatchSource } from '../features/subscriptions.ts';
import { requireTasks } from '../features/tasks.ts';
import { ProxiedCall } from '../proxy/proxied-call.ts';
import { sessionFor } from '../proxy/open-session.ts';
import type { Runtime } from '../runtime.ts';
import { Conversation } from './conversation.ts';
import { discovered, type Method, methods, watchingResources } from './dispatch.ts';

/** The methods that are passed on to the session of a proxy. */
const forwarded = [
  'tools/list',
  'tools/call',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
];

/** Every method of a proxy except `initialize`. */
export const proxiedMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...methods,
  ...forwarded.map((method) => [method, forward(method)] as const),
  ['resources/list', watchingResources(forward('resources/list'))],
  ['server/discover', discover],
  ['logging/setLevel', setLevel],
  ['subscriptions/listen', listenThrough],
]);

/**
 * Returns a function that forwards a method that the protocol does not define, such as one of an extension.
 * Returns undefined if the protocol defines it.
 */
export function forwardUnknown(method: string): Method | undefined {
  return methods.has(method) || method === 'initialize' ? undefined : forward(method);
}

function forward(method: string): Method {
  // Not async, because that would make further promises, each of which takes as much time as a short message.
  return (runtime, call, params) => {
    if (method.startsWith('tasks/')) requireTasks(call, `method "${method}"`);
    return sessionOf(runtime, call)
      .request(method, params, new ProxiedCall(call, params))
      .then((answer) => adapted(runtime, call, method, answer));
  };
}

/** Converts the result of a server into the form of the client's revision. */
function adapted(runtime: Runtime, { revision }: ActiveCall, method: string, answer: ProxyResult): Result {
  const { result, revision: version, source, outputSchema } = answer;
  const foreign = { method, result, revision: revisionNamed(version) ?? modern, outputSchema };
  const meta = () => ({ [metaKeys.serverInfo]: runtime.info(revision) });
  const members = adaptResult(revision, foreign, meta);
  return { type: 'complete', members, text: textOf(members, source) };
}

async function discover(runtime: Runtime, call: ActiveCall): Promise<Result> {
  return discovered(runtime, call, await sessionOf(runtime, call).describe(), noCache);
}

async function setLevel(runtime: Runtime, call: ActiveCall, params: JsonObject): Promise<Result> {
  const { peer } = call;
  const result = await methods.get('logging/setLevel')?.(runtime, call, params);
  if (peer.logLevel) await sessionOf(runtime, call).setLogLevel(peer.logLevel);
  return result ?? complete({});
}

function listenThrough(runtime: Runtime, call: ActiveCall, params: JsonObject): Result | Promise<Result> {
  return listen(sourceOf(sessionOf(runtime, call)), call, params);
}

function sourceOf(session: ProxySession): WatchSource {
  return {
    live: { tools: true, resources: true, prompts: true },
    tasks: {
      watch: (_, taskIds, changed) => {
        const ids = Array.isArray(taskIds) ? taskIds.filter((id) => typeof id === 'string') : [];
        return session.watchTasks(ids, changed);
      },
    },
    watchResource: (uri, changed) => session.watchResource(uri, changed),
    watchList: (kind, changed) => session.watchList(kind, changed),
  };
}

function sessionOf(runtime: Runtime, { peer, outlet }: ActiveCall): ProxySession {
  const session = peer instanceof Conversation ? peer.session : undefined;
  return session ?? sessionFor(runtime, peer, outlet);
}
