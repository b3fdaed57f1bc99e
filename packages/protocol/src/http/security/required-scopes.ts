import { isObject } from '@mcp/kit';
import type { Sender } from '../../define/caller.ts';
import { internalError } from '../../jsonrpc/error.ts';
import { errorText, type Incoming, type Request } from '../../jsonrpc/message.ts';
import { lackingScopes } from '../../server/access.ts';
import type { Runtime } from '../../server/runtime.ts';
import { targetOf } from '../../server/features/target.ts';
import { type HttpReply, jsonReply } from '../wire/http-message.ts';
import { type Authorization, insufficientScope } from './authorization.ts';

/** Whether a request may be answered: the reply that refuses it, or the scopes that its items require. */
export type Admission = { readonly refusal: HttpReply } | { readonly requires: readonly string[] };

const free: Admission = { requires: [] };

interface AdmitOptions {
  readonly authorization: Authorization | undefined;
  readonly warn: (message: string) => void;
}

/**
 * Checks the scopes that the requests of a message require. Refuses a request with 403 if the caller lacks a
 * scope; a batch is not refused, because each of its requests has its own answer. Refuses both with 500 if
 * the endpoint has no `authorization`, because then no caller can have scopes.
 */
export function admit(
  runtime: Runtime,
  incoming: Incoming,
  sender: Sender,
  options: AdmitOptions,
): Admission | Promise<Admission> {
  return runtime.loaded && !runtime.requiresScopes ? free : check(runtime, incoming, sender, options);
}

async function check(
  runtime: Runtime,
  incoming: Incoming,
  { caller }: Sender,
  { authorization, warn }: AdmitOptions,
): Promise<Admission> {
  const requests = requestsIn(incoming);
  if (requests.length === 0) return free;
  // If the lists cannot be loaded, the error is ignored here: the request itself fails with it.
  if (!runtime.loaded) await runtime.load().catch(() => undefined);
  if (!runtime.requiresScopes) return free;
  if (!authorization || !caller) {
    warn('A tool, prompt or resource has `requires`, but the endpoint has no `authorization`');
    const message = 'This endpoint cannot check the scopes that the server requires';
    const id = incoming.kind === 'request' ? incoming.request.id : undefined;
    return { refusal: jsonReply(500, errorText(id, { code: internalError, message })) };
  }
  const targets = await Promise.all(
    requests.map(async ({ method, params }) =>
      isObject(params) ? targetOf(method)?.(runtime, params, caller) : undefined,
    ),
  );
  const requires = targets.flatMap((target) => target?.definition.requires ?? []);
  const lacking = lackingScopes({ definition: { requires } }, caller);
  return incoming.kind === 'request' && lacking.length > 0
    ? { refusal: insufficientScope(authorization, lacking, caller) }
    : { requires: requires.filter((scope) => !lacking.includes(scope)) };
}

/** The requests of a message that use a tool, prompt, resource or task. */
function requestsIn(incoming: Incoming): readonly Request[] {
  const messages = incoming.kind === 'batch' ? incoming.messages : [incoming];
  return messages.flatMap((message) =>
    message.kind === 'request' && targetOf(message.request.method) ? message.request : [],
  );
}
