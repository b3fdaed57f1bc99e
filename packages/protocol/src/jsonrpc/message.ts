import { isObject, messageOf } from '@mcp/kit';
import { isDeeper, maxDepth, tooDeep } from './depth.ts';
import { type ErrorObject, invalidRequest, parseError, RpcError } from './error.ts';

/** The id of a request, unique among those that its sender waits for. Its type matters: `1` is not `"1"`. */
export type Id = string | number;

export type JsonObject = { [key: string]: unknown };

export type Request = {
  readonly jsonrpc: '2.0';
  readonly id: Id;
  readonly method: string;
  readonly params?: JsonObject;
};

export type Notification = {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
};

export type Response = {
  readonly jsonrpc: '2.0';
  /** Missing if the sender could not read the id of the request. */
  readonly id?: Id;
  readonly result?: JsonObject;
  readonly error?: ErrorObject;
};

/** A JSON value, classified as a message. `invalid`: not allowed by JSON-RPC 2.0, with the reason. */
export type Message =
  | {
      readonly kind: 'request';
      readonly request: Request;
      /** The JSON text of the message; undefined if it is not known. */
      readonly text?: string | undefined;
    }
  | { readonly kind: 'notification'; readonly notification: Notification }
  | { readonly kind: 'response'; readonly response: Response; readonly malformed?: true }
  | { readonly kind: 'invalid'; readonly reason: string; readonly id?: Id };

/** One message, or an array of them. */
export type Incoming =
  | Message
  | {
      readonly kind: 'batch';
      readonly messages: readonly Message[];
      /** The JSON text of the array. */
      readonly text?: string | undefined;
    };

/** Classifies a parsed message or batch; `text` is its JSON text. */
export function classifyIncoming(value: unknown, text?: string): Incoming {
  if (!Array.isArray(value)) return classify(value, text);
  return { kind: 'batch', messages: value.map((message) => classify(message)), text };
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Parses a message. Throws an `RpcError` for invalid JSON, and for more nested levels than `limit`. */
export function parse(text: string, limit: number = maxDepth): unknown {
  if (isDeeper(text, limit)) throw tooDeep(limit);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RpcError(parseError, `Not JSON: ${messageOf(error)}`);
  }
}

/** Classifies a value by the rules of JSON-RPC 2.0; does not check that `params` is an object. */
export function classify(value: unknown, text?: string): Message {
  if (!isObject(value)) return { kind: 'invalid', reason: 'A message must be a JSON object' };
  const { id, method } = value;
  if (value['jsonrpc'] !== '2.0') return invalid('"jsonrpc" must be "2.0"', id);

  if (method !== undefined) {
    if (typeof method !== 'string') return invalid('"method" must be a string', id);
    if (id === undefined) return { kind: 'notification', notification: value as Notification };
    if (!isId(id)) return invalid('"id" must be a string or an integer', undefined);
    return { kind: 'request', request: value as Request, text };
  }

  const { result, error } = value;
  if (result === undefined && error === undefined) return invalid('A request must name its "method"', id);
  if (id !== undefined && id !== null && !isId(id)) {
    return unreadable('"id" must be a string or an integer', undefined);
  }
  if (result !== undefined && error !== undefined) {
    return unreadable('A response has either "result" or "error", not both', id);
  }
  if (error !== undefined && !isErrorObject(error)) {
    return unreadable('"error" must have an integer "code" and a "message"', id);
  }
  if (result !== undefined && !isObject(result)) return unreadable('"result" must be an object', id);
  return { kind: 'response', response: value as Response };
}

// A malformed response must not be answered. It becomes an error response, which rejects the waiting request.
function unreadable(message: string, id: unknown): Message {
  const error = { code: invalidRequest, message };
  return { kind: 'response', response: { jsonrpc: '2.0', ...(isId(id) && { id }), error }, malformed: true };
}

function invalid(reason: string, id: unknown): Message {
  return isId(id) ? { kind: 'invalid', reason, id } : { kind: 'invalid', reason };
}

function isErrorObject(value: unknown): value is ErrorObject {
  return isObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string';
}

/** Encodes a response around a result that is JSON text already. */
export function resultText(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${result}}`;
}

/** Encodes an error response. Omits an undefined id, and `data` that cannot be serialized. */
export function errorText(id: Id | undefined, { code, message, data }: ErrorObject): string {
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
  } catch {
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  }
}

export function requestText(id: Id, method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** Encodes a request around parameters that are JSON text already. */
export function requestAround(id: Id, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"method":${JSON.stringify(method)},"params":${params}}`;
}

export function notificationText(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

function idText(id: Id): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}
