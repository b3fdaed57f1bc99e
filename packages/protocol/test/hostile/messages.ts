import type { Id, JsonObject } from '../../src/jsonrpc/message.ts';

export function initialize(
  protocolVersion: string,
  id: Id = 'init',
  capabilities: JsonObject = {},
): JsonObject {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'hostile', version: '1' } };
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}

export function request(id: unknown, method: unknown, params?: unknown): JsonObject {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

export function notification(method: string, params?: unknown): JsonObject {
  return { jsonrpc: '2.0', method, ...(params !== undefined && { params }) };
}

export function call(id: Id, name: string, args: JsonObject = {}, meta?: JsonObject): JsonObject {
  return request(id, 'tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
}

export function cancel(requestId: unknown): JsonObject {
  return notification('notifications/cancelled', { requestId });
}

export const ping = (id: Id): JsonObject => request(id, 'ping');
export const pong = (id: Id): JsonObject => ({ jsonrpc: '2.0', id, result: {} });

export const latest = '2026-07-28';

/** The `_meta` of a stateless request. */
export function modernMeta(version: unknown = latest, capabilities: unknown = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

export function modern(id: Id, method: string, params: JsonObject = {}): JsonObject {
  return request(id, method, { ...params, _meta: { ...modernMeta(), ...(params['_meta'] as JsonObject) } });
}

export function failure(id: Id | undefined, code: number, message: string, data?: unknown): JsonObject {
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  };
}

/** A tool's answer of one text before 2026-07-28. */
export function said(id: Id, text: string): JsonObject {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

export function failed(id: Id, text: string): JsonObject {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError: true } };
}
