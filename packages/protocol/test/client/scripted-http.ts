import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { Recording } from './recording.ts';

/** One request that a scripted endpoint has got. */
export interface Exchange {
  readonly http: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly message: JsonObject;
  readonly response: ServerResponse;
  /** Answers with a result, or an error. */
  readonly result: (result: JsonObject) => void;
  readonly error: (code: number, message: string, status?: number, data?: unknown) => void;
  /** Opens a stream of events. */
  readonly stream: () => ServerResponse;
}

type Handler = (exchange: Exchange) => unknown;
/** Handlers by the method of the message, or by `GET` and `DELETE`. */
export type Handlers = { readonly [method: string]: Handler };

const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} };
const called = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

/** Handlers of a server of 2026-07-28. */
export const stateless: Handlers = {
  'server/discover': ({ result }) => result(discovered),
  'tools/list': ({ result }) => result({ resultType: 'complete', tools: [] }),
  'tools/call': ({ result }) => result(called),
};

/** Handlers of a server of 2025-11-25, with one session. */
export const session: Handlers = {
  'server/discover': ({ error }) => error(-32600, 'No session', 400),
  initialize: ({ response, result }) => {
    response.setHeader('mcp-session-id', 'session-1');
    result({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } });
  },
  'notifications/initialized': ({ response }) => response.writeHead(202).end(),
  'tools/list': ({ result }) => result({ tools: [] }),
  'tools/call': ({ result }) => result(called),
  GET: ({ response }) => response.writeHead(405).end(),
  DELETE: ({ response }) => response.writeHead(200).end(),
};

/** An endpoint that answers by its handlers, until the test is over. */
export async function scriptedHttp(handlers: Handlers): Promise<{
  url: string;
  exchanges: Exchange[];
  /** Resolves when `condition` holds, now or after an exchange has begun. */
  until: (condition: () => boolean) => Promise<void>;
  /** Closes the connections that have no request. */
  closeIdle: () => void;
}> {
  const begun = new Recording<Exchange>();
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const exchange = exchangeOf(request, response, body);
      begun.add(exchange);
      const method = exchange.http === 'POST' ? String(exchange.message['method']) : exchange.http;
      const handler = handlers[`${exchange.http} ${exchange.path}`] ?? handlers[method];
      if (handler) handler(exchange);
      else response.writeHead(exchange.message['id'] === undefined ? 202 : 404).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    exchanges: begun.events,
    until: (condition) => begun.until(condition),
    closeIdle: () => server.closeIdleConnections(),
  };
}

function exchangeOf(request: IncomingMessage, response: ServerResponse, body: string): Exchange {
  const message = (body === '' ? {} : JSON.parse(body)) as JsonObject;
  const json = (status: number, rest: JsonObject) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], ...rest }));
  };
  return {
    http: request.method ?? '',
    path: new URL(request.url ?? '/', 'http://localhost').pathname,
    headers: request.headers,
    message,
    response,
    result: (result) => json(200, { result }),
    error: (code, text_, status = 200, data) => json(status, { error: { code, message: text_, data } }),
    stream: () => response.writeHead(200, { 'content-type': 'text/event-stream' }),
  };
}

/** A message as an event. */
export function event(message: JsonObject, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
}
