import { isObject } from '@mcp/kit';
import type { Sender } from '../../define/caller.ts';
import { internalError } from '../../jsonrpc/error.ts';
import { errorText, type Incoming } from '../../jsonrpc/message.ts';
import { lackingScopes } from '../../server/access.ts';
import type { Runtime } from '../../server/runtime.ts';
import { targetOf } from '../../server/target.ts';
import { type HttpReply, jsonReply } from '../wire/http-message.ts';
import { type Authorization, insufficientScope } from './authorization.ts';

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
  const find = targetOf(method);
  if (!find || !isObject(params)) return undefined;
  // If the lists cannot be loaded, the error is ignored here: the request itself fails with it.
  if (!runtime.loaded) await runtime.load().catch(() => undefined);
  if (!runtime.requiresScopes) return undefined;
  if (!authorization || !caller) {
    warn('A tool, prompt or resource has `requires`, but the endpoint has no `authorization`');
    const message = 'This endpoint cannot check the scopes that the server requires';
    return jsonReply(500, errorText(id, { code: internalError, message }));
  }
  const target = await find(runtime, params, caller);
  const lacking = target ? lackingScopes(target, caller) : [];
  return lacking.length > 0 ? insufficientScope(authorization, lacking, caller) : undefined;
}
