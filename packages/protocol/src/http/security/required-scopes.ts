import { isObject } from '@mcp/kit';
import type { Sender } from '../../define/caller.ts';
import { internalError } from '../../jsonrpc/error.ts';
import { errorText, type Incoming } from '../../jsonrpc/message.ts';
import { lackingScopes } from '../../server/access.ts';
import type { Runtime } from '../../server/runtime.ts';
import { type HttpReply, jsonReply } from '../wire/http-message.ts';
import { type Authorization, insufficientScope } from './authorization.ts';

/** The methods that use one tool, prompt or resource, and the parameter that names it. */
const targetNames: { readonly [method: string]: string } = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
};

/**
 * Refuses a request for an item with `requires`: 403 if the caller lacks a scope; 500 if the endpoint has no
 * `authorization`, because then no caller can have scopes. Otherwise returns undefined.
 */
export async function refuseLackingScope(
  runtime: Runtime,
  incoming: Incoming,
  { caller }: Sender,
  { authorization, warn }: { authorization: Authorization | undefined; warn: (message: string) => void },
): Promise<HttpReply | undefined> {
  if (incoming.kind !== 'request') return undefined;
  const { id, method, params } = incoming.request;
  const name = isObject(params) ? params[targetNames[method] ?? ''] : undefined;
  if (typeof name !== 'string') return undefined;
  // If the lists cannot be loaded, the error is ignored here: the request itself fails with it.
  if (!runtime.loaded) await runtime.load().catch(() => undefined);
  if (!runtime.requiresScopes) return undefined;
  if (!authorization || !caller) {
    warn('A tool, prompt or resource has `requires`, but the endpoint has no `authorization`');
    const message = 'This endpoint cannot check the scopes that the server requires';
    return jsonReply(500, errorText(id, { code: internalError, message }));
  }
  const target = targetOf(runtime, method, name);
  const lacking = target ? lackingScopes(target, caller) : [];
  return lacking.length > 0 ? insufficientScope(authorization, lacking, caller) : undefined;
}

function targetOf(runtime: Runtime, method: string, name: string) {
  if (method === 'tools/call') return runtime.tool(name);
  return method === 'prompts/get' ? runtime.prompt(name) : runtime.resource(name)?.resource;
}
