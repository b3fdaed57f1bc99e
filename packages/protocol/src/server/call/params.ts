import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';

/** A string parameter of a request; its absence is the client's mistake. */
export function stringParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw new RpcError(invalidParams, `"${name}" must be a string`);
}

/** An object parameter of a request. */
export function objectParam(params: JsonObject, name: string): JsonObject {
  const value = params[name];
  if (isObject(value)) return value;
  throw new RpcError(invalidParams, `"${name}" must be an object`);
}

/** An object parameter that may be missing. */
export function optionalObjectParam(params: JsonObject, name: string): JsonObject {
  return params[name] === undefined ? {} : objectParam(params, name);
}

/** An object parameter whose values are strings; empty where it is missing. */
export function stringsParam(params: JsonObject, name: string): { [key: string]: string } {
  const value = optionalObjectParam(params, name);
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'string') throw new RpcError(invalidParams, `"${name}.${key}" must be a string`);
  }
  return value as { [key: string]: string };
}
