import { isObject } from '@mcp/kit';
import type { ServedExtension } from '../../define/extension.ts';
import { extensionSettings } from '../../define/extension.ts';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { missingClientCapability } from '../../revisions/codes.ts';
import { issuesText } from '../../schema/schema.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { complete, type Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { type HandlerMethod, type HandlerRequest, runHandler } from './run-handler.ts';

/**
 * Returns the function that answers a method of one of the server's extensions; undefined for any other
 * method.
 */
export function extensionMethod({ server }: Pick<Runtime, 'server'>, method: string) {
  const { extensions = [] } = server.definition;
  const served = extensions.find(({ extension }) => Object.hasOwn(extension.methods, method));
  return (
    served &&
    ((runtime: Runtime, call: ActiveCall, params: JsonObject) =>
      run(served, method, { runtime, call, params }))
  );
}

async function run(
  { extension, run: handlers }: ServedExtension<object>,
  name: string,
  request: HandlerRequest,
): Promise<Result> {
  const { call, params } = request;
  const { id, methods, requiresClient = true } = extension;
  if (requiresClient && !extensionSettings(call.clientCapabilities, extension)) {
    const message = `The method "${name}" requires that the client declares the extension "${id}"`;
    throw new RpcError(missingClientCapability, message, {
      requiredCapabilities: { extensions: { [id]: {} } },
    });
  }
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
