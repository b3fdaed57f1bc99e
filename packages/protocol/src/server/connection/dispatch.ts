import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ProxySession } from '../../define/proxy/proxy.ts';
import type { CacheHint } from '../../define/resource.ts';
import { versions } from '../../revisions/table.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { completeArgument } from '../features/completion.ts';
import { Conversation } from './conversation.ts';
import { listen } from '../features/subscriptions.ts';
import { getPrompt, listPrompts } from '../features/prompts.ts';
import { listResources, listTemplates, readResource } from '../features/resources.ts';
import { cachePrivate, cachePublic, complete, type Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { callTool, listTools } from '../features/tools.ts';

export type Method = (runtime: Runtime, call: ActiveCall, params: JsonObject) => Result | Promise<Result>;

const empty = complete({});

function inConversation(run: (conversation: Conversation, params: JsonObject) => unknown): Method {
  return async (_, { peer }, params) => {
    if (!(peer instanceof Conversation)) throw new Error('This method requires an earlier "initialize"');
    await run(peer, params);
    return empty;
  };
}

/** Wraps a method that lists resources: subscribes the client first, so that no change is missed. */
export function watchingResources(list: Method): Method {
  return async (runtime, call, params) => {
    if (call.peer instanceof Conversation) await call.peer.watchResources();
    return list(runtime, call, params);
  };
}

/**
 * Every method of the protocol except `initialize`, which the connection answers because it opens the
 * conversation.
 */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', () => empty],
  [
    'server/discover',
    (runtime, call) => {
      runtime.loadSoon();
      const cache = runtime.describesAllAlike ? cachePublic : cachePrivate;
      return discovered(runtime, call, runtime.description, cache);
    },
  ],
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', watchingResources(listResources)],
  ['resources/templates/list', watchingResources(listTemplates)],
  ['resources/read', readResource],
  ['resources/subscribe', inConversation((conversation, params) => conversation.subscribe(params))],
  ['resources/unsubscribe', inConversation((conversation, params) => conversation.unsubscribe(params))],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', completeArgument],
  ['logging/setLevel', inConversation((conversation, params) => conversation.setLogLevel(params))],
  ['subscriptions/listen', listen],
]);

/** The result of `server/discover`. */
export function discovered(
  runtime: Runtime,
  { peer }: ActiveCall,
  { capabilities, instructions }: Awaited<ReturnType<ProxySession['describe']>>,
  cache: CacheHint,
): Result {
  return complete(
    {
      supportedVersions: versions,
      capabilities: runtime.capabilitiesFor(peer, capabilities),
      ...(instructions !== undefined && { instructions }),
    },
    cache,
  );
}
