import { isObject } from '@mcp/kit';
import type { JsonObject, ProxyCall, ProxyClient, ProxyResult } from '@mcp/protocol/proxy';
import type { RpcError } from '@mcp/protocol';
import type { ToolPolicy } from '../../policy/tool-policy.ts';
import { gatewayError } from '../gateway-error.ts';
import type { ClientIdentity } from '../links/client-identity.ts';
import { mayAsk } from './declared-requests.ts';
import type { MultiRoundCall } from './multi-round-call.ts';

/** The results by which a policy has refused calls. */
const refusals = new WeakSet<object>();

/** Whether a policy has refused the call that has this result. */
export function isRefusal(result: JsonObject): boolean {
  return refusals.has(result);
}

/** An error of the tool, so that a model reads why its call is refused. */
export function refusal(text: string): ProxyResult {
  const result = { content: [{ type: 'text', text }], isError: true };
  refusals.add(result);
  return { result, revision: '2025-11-25' };
}

/** Who is asked for a confirmation, and during which call. */
export interface Asked {
  readonly client: ProxyClient;
  readonly identity: ClientIdentity;
  readonly call: ProxyCall;
  /** Given for a client of 2026-07-28 that answers questions. */
  readonly rounds: MultiRoundCall | undefined;
}

/** Asks the user whether a call may be made. Returns why not; undefined if it may. */
export async function confirm(question: string, asked: Asked): Promise<string | undefined> {
  const params = { message: question, requestedSchema };
  if (!mayAsk(asked.identity.stateless, method, params))
    return 'Its user must confirm this call, and this client cannot ask: it declares no elicitation';
  const { action, content } = await ask(params, asked);
  const isAllowed = action === 'accept' && isObject(content) && content['allow'] === true;
  return isAllowed ? undefined : 'The user has not confirmed this call';
}

const method = 'elicitation/create';
const revision = '2025-06-18';

const requestedSchema = {
  type: 'object',
  properties: { allow: { type: 'boolean', title: 'Allow this call', default: false } },
  required: ['allow'],
};

function ask(params: JsonObject, { client, call, rounds }: Asked): Promise<JsonObject> {
  const { conversation } = client;
  if (conversation) return conversation.ask({ method, params, revision }, { signal: call.signal, call });
  return new Promise((resolve, reject) => {
    if (!rounds) return reject(new Error('A client without a conversation is asked in rounds'));
    const { signal } = rounds;
    rounds.ask({ request: { method, params, revision, signal }, connection: undefined, resolve, reject });
  });
}

/** The answer, if neither its result nor its error is larger than the policy allows. */
export async function limitResult(policy: ToolPolicy, answer: Promise<ProxyResult>): Promise<ProxyResult> {
  if (policy.maxResultBytes === Infinity) return answer;
  try {
    const answered = await answer;
    return tooLarge(policy, 'result', answered.result) ?? answered;
  } catch (error) {
    const { message, data } = gatewayError(error) as RpcError;
    const refused = tooLarge(policy, 'error', [message, data]);
    if (refused) return refused;
    throw error;
  }
}

/** A task, without a text, a result or an error that is larger than the policy for its tool allows. */
export function limitTask(policy: ToolPolicy | undefined, task: JsonObject): JsonObject {
  if (!policy) return task;
  const { statusMessage, ...others } = task;
  const shown = tooLarge(policy, 'text', statusMessage) ? others : task;
  const { result, error, ...rest } = shown;
  const refused = tooLarge(policy, 'result', result) ?? tooLarge(policy, 'error', error);
  return refused ? { ...rest, status: 'completed', result: refused.result } : shown;
}

function tooLarge(
  { maxResultBytes: most }: ToolPolicy,
  what: string,
  value: unknown,
): ProxyResult | undefined {
  const bytes = most === Infinity || value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
  return bytes > most
    ? refusal(`The ${what} has ${bytes} bytes, and at most ${most} are allowed: ask for less`)
    : undefined;
}
