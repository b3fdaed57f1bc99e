import type { JsonObject } from '../../jsonrpc/message.ts';
import { InvalidResult } from './invalid-result.ts';
import type { Results } from './results.ts';
import { resultShapes } from './shapes.ts';

/** Returns the result as its method's type; throws {@link InvalidResult} if it does not have that shape. */
export function checkResult<M extends keyof Results>(method: M, result: JsonObject): Results[M] {
  if (fits<M>(method, result)) return result;
  throw new InvalidResult(method, resultShapes[method]?.(result, '') ?? 'unknown');
}

function fits<M extends keyof Results>(method: M, result: JsonObject): result is JsonObject & Results[M] {
  return resultShapes[method]?.(result, '') === undefined;
}

/**
 * Throws {@link InvalidResult} for an unknown `resultType`. A result without one is complete.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
 */
export function refuseUnknownType(method: string, result: JsonObject): JsonObject {
  const type = result['resultType'];
  if (type === undefined || type === 'complete' || type === 'input_required' || type === 'task')
    return result;
  throw new InvalidResult(method, `unknown "resultType" ${JSON.stringify(type).slice(0, 100)}`);
}
