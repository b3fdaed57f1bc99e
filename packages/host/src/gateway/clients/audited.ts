import { isObject } from '@mcp/kit';
import type { JsonObject, ProxyResult } from '@mcp/protocol/proxy';
import { maskAddresses } from '../../config/entry/mask-secrets.ts';
import type { AuditedRequest, AuditLog } from '../../policy/audit-log.ts';
import { isRefusal } from '../calls/policy-call.ts';
import type { Callee } from '../calls/request-routes.ts';

/** The methods of which a line is kept. */
const methods = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Maximum number of characters of a name. */
const maxName = 500;

export interface AuditRequest {
  readonly method: string;
  readonly params: JsonObject;
}

export interface AuditOptions {
  readonly audit: AuditLog;
  readonly caller: Pick<AuditedRequest, 'client' | 'principal'>;
  /** The server of an answered request, whether only a view makes it, and whether its tool is hidden. */
  readonly calleeOf: (method: string, params: JsonObject) => Callee;
  readonly lazy: boolean;
}

/** Adds a line when the answer to a request is there, or has failed. Returns the answer. */
export async function audited(
  answer: Promise<ProxyResult>,
  { method, params }: AuditRequest,
  { audit, caller, calleeOf, lazy }: AuditOptions,
): Promise<ProxyResult> {
  if (!methods.has(method)) return answer;
  const from = performance.now();
  const called = lazy && params['name'] === 'call_tool' ? innerCall(params) : params;
  const ended = (outcome: AuditedRequest['outcome'], resultBytes: number | undefined) => {
    const { isHidden = false, ...callee } = calleeOf(method, called);
    audit.add({
      ...caller,
      method,
      ...callee,
      name: nameOf(called),
      ms: performance.now() - from,
      argumentBytes: bytesOf(called['arguments'] ?? {}),
      resultBytes,
      outcome: isHidden ? 'refused' : outcome,
      arguments: called['arguments'],
    });
  };
  try {
    const answered = await answer;
    ended(outcomeOf(answered.result), bytesOf(answered.result));
    return answered;
  } catch (error) {
    ended('error', undefined);
    throw error;
  }
}

function outcomeOf(result: JsonObject): AuditedRequest['outcome'] {
  if (isRefusal(result)) return 'refused';
  if (result['resultType'] === 'input_required') return 'asked';
  return result['isError'] === true ? 'error' : 'ok';
}

/** The name of a request, or its URI without secrets. A client may send any text: it is cut. */
function nameOf({ name, uri }: JsonObject): string | undefined {
  if (typeof name === 'string') return name.slice(0, maxName);
  return typeof uri === 'string' ? maskAddresses(uri).slice(0, maxName) : undefined;
}

/** The call in the arguments of `call_tool`. */
function innerCall({ arguments: args }: JsonObject): JsonObject {
  return isObject(args) ? args : {};
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
