import { isObject } from '@mcp/kit';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';

/** A string parameter of a request; throws an `RpcError` if it is missing or of another type. */
export function stringParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw new RpcError(invalidParams, `"${name}" must be a string`);
}

/** An object parameter of a request; throws an `RpcError` if it is missing or of another type. */
export function objectParam(params: JsonObject, name: string): JsonObject {
  const value = params[name];
  if (isObject(value)) return value;
  throw new RpcError(invalidParams, `"${name}" must be an object`);
}

/** An object parameter; an empty object if the parameter is missing. */
export function optionalObjectParam(params: JsonObject, name: string): JsonObject {
  return params[name] === undefined ? {} : objectParam(params, name);
}

/** An object parameter whose members are strings, without those that are `null`; empty if it is missing. */
export function stringsParam(params: JsonObject, name: string): { [key: string]: string } {
  const given = Object.entries(optionalObjectParam(params, name)).filter(([, item]) => item !== null);
  for (const [key, item] of given) {
    if (typeof item !== 'string') throw new RpcError(invalidParams, `"${name}.${key}" must be a string`);
  }
  return Object.fromEntries(given as [string, string][]);
}

/** The `uri` of a request; throws an `RpcError` if it does not have the form of a URI. */
export function uriParam(params: JsonObject): string {
  const uri = stringParam(params, 'uri');
  // RFC 3986: a scheme, then neither spaces nor control characters.
  if (/^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]*$/iu.test(uri)) return uri;
  throw new RpcError(invalidParams, `Not a URI: ${JSON.stringify(uri)}`, { uri });
}

export function notFound(revision: Revision, uri: string, message = `No such resource: "${uri}"`): RpcError {
  return new RpcError(revision.resourceNotFound, message, { uri });
}
