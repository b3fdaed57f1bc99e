import { isObject } from '@mcp/kit';
import type { ServedExtension } from '../../define/extension.ts';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { issuesText } from '../../schema/schema.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { requireExtension } from '../call/require-extension.ts';
import { complete, type Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { type HandlerMethod, type HandlerRequest, runHandler } from './run-handler.ts';

/**
 * Returns the function that answers a method of one of the server's extensions; undefined for any other
 * method.
 */
export function extensionMethod({ served }: Pick<Runtime, 'served'>, method: string) {
  const found = served.find(({ extension }) => Object.hasOwn(extension.methods, method));
  if (!found) return undefined;
  const { extension, answer } = found;
  return (runtime: Runtime, call: ActiveCall, params: JsonObject) => {
    if (extension.requiresClient ?? true)
      requireExtension(call.clientCapabilities, extension, `method "${method}"`);
    return answer ? answer(method, call, params) : run(found, method, { runtime, call, params });
  };
}

async function run(
  { extension: { id, methods }, run: handlers }: ServedExtension<object>,
  name: string,
  request: HandlerRequest,
): Promise<Result> {
  const { call, params } = request;
  const schemas = methods[name]!;
  const { _meta, inputResponses: _responses, requestState: _state, ...own } = params;
  const checked = await schemas.params['~standard'].validate(own);
  if (checked.issues)
    throw new RpcError(invalidParams, `Invalid params of ${name}: ${issuesText(checked.issues)}`);
  const method: HandlerMethod<HandlerRequest, unknown> = {
    name,
    subject: () => ({ name: id, args: checked.value }),
    run: () => handlers[name]!(checked.value, call),
    async encode(value) {
      const result = await schemas.result['~standard'].validate(value);
      if (result.issues) throw invalidResult(name, issuesText(result.issues));
      return complete(plainObject(name, result.value));
    },
  };
  return runHandler(method, request);
}

/**
 * The result as plain JSON, without `resultType`, which the protocol sets, and without a `_meta` that is no
 * object. Throws if the result is no object.
 */
function plainObject(method: string, value: unknown): JsonObject {
  const text = JSON.stringify(value) as string | undefined;
  const plain: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(plain)) throw invalidResult(method, 'it must be an object');
  const { resultType: _type, _meta, ...members } = plain;
  return isObject(_meta) ? { ...members, _meta } : members;
}

function invalidResult(method: string, reason: string): RpcError {
  return new RpcError(internalError, `Invalid result of ${method}: ${reason}`);
}
