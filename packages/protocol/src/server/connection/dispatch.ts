import type { JsonObject } from '../../jsonrpc/message.ts';
import { versions } from '../../revisions/table.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { completeArgument } from '../features/completion.ts';
import { Conversation } from './conversation.ts';
import { listen } from '../features/subscriptions.ts';
import { getPrompt, listPrompts } from '../features/prompts.ts';
import { listResources, listTemplates, readResource } from '../features/resources.ts';
import { complete, type Result, cachePublic } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { callTool, listTools } from '../features/tools.ts';

export type Method = (runtime: Runtime, call: ActiveCall, params: JsonObject) => Result | Promise<Result>;

const empty = complete({});

/** Every method except `initialize`, which the connection answers because it opens the conversation. */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', () => empty],
  ['server/discover', discover],
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResourcesAndTell],
  ['resources/templates/list', listTemplatesAndTell],
  ['resources/read', readResource],
  [
    'resources/subscribe',
    (_, call, params) =>
      conversationOf(call)
        .subscribe(params)
        .then(() => empty),
  ],
  [
    'resources/unsubscribe',
    (_, call, params) =>
      conversationOf(call)
        .unsubscribe(params)
        .then(() => empty),
  ],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', completeArgument],
  ['logging/setLevel', setLevel],
  ['subscriptions/listen', listen],
  ['tasks/get', ({ tasks }, call, params) => tasks!.get(call, params)],
  ['tasks/update', ({ tasks }, call, params) => tasks!.update(call, params)],
  ['tasks/cancel', ({ tasks }, call, params) => tasks!.cancel(call, params)],
]);

function discover(runtime: Runtime, { revision }: ActiveCall): Result {
  const { instructions } = runtime.server.definition;
  runtime.loadSoon();
  return complete(
    {
      supportedVersions: versions,
      capabilities: runtime.capabilitiesIn(revision),
      ...(instructions !== undefined && { instructions }),
    },
    cachePublic,
  );
}

async function listResourcesAndTell(runtime: Runtime, call: ActiveCall, params: JsonObject): Promise<Result> {
  // Changes while the list is loaded must cause a notification too.
  if (call.caller instanceof Conversation) await call.caller.watchResources();
  return listResources(runtime, call, params);
}

function listTemplatesAndTell(runtime: Runtime, call: ActiveCall, params: JsonObject): Result {
  if (call.caller instanceof Conversation) void call.caller.watchResources();
  return listTemplates(runtime, call, params);
}

function setLevel(_: Runtime, call: ActiveCall, params: JsonObject): Result {
  conversationOf(call).setLogLevel(params);
  return empty;
}

function conversationOf({ caller }: ActiveCall): Conversation {
  if (caller instanceof Conversation) return caller;
  throw new Error('This method requires a conversation');
}
