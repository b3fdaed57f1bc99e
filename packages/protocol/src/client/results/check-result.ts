import type { JsonObject } from '../../jsonrpc/message.ts';
import type { Results } from './results.ts';
import { resultShapes } from './shapes.ts';

/** The error for a result that does not have the shape that its method requires. */
export class InvalidResult extends Error {
  override readonly name = 'InvalidResult';

  constructor(method: string, what: string) {
    super(`Invalid result of ${method}: ${what}`);
  }
}

/** Returns the result as its method's type; throws {@link InvalidResult} if it does not have that shape. */
export function checkResult<M extends keyof Results>(method: M, result: JsonObject): Results[M] {
  refuseOtherShape<M>(method, result);
  return result;
}

function refuseOtherShape<M extends keyof Results>(
  method: M,
  result: JsonObject,
): asserts result is JsonObject & Results[M] {
  const wrong = resultShapes[method]?.(result, '');
  if (wrong !== undefined) throw new InvalidResult(method, wrong);
}

/**
 * Throws {@link InvalidResult} for an unknown `resultType`. A result without `resultType` is complete.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
 */
export function refuseUnknownType(method: string, result: JsonObject): JsonObject {
  const type = result['resultType'];
  if (type === undefined || type === 'complete' || type === 'input_required' || type === 'task')
    return result;
  throw new InvalidResult(method, `unknown "resultType" ${JSON.stringify(type).slice(0, 100)}`);
}
