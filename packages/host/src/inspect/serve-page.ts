import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf, messageOf } from '@mcp/kit';
import { usageError } from '../errors.ts';
import { Guard } from './guard.ts';
import type { Inspector } from './inspector.ts';
import type { ViewFrames } from './view-frames.ts';

/** Maximum size of a request of the page, in bytes. */
const maxRequestBytes = 64 * 1024 * 1024;

/** The served page; its `url` lets one browser in. */
export interface ServedPage extends AsyncDisposable {
  readonly url: string;
}

/**
 * Serves the page of the inspector on a port of the loopback, and on `localhost` its views; 0 is a free port.
 */
export async function servePage(
  html: string,
  { inspector, views }: Pick<Site, 'inspector' | 'views'>,
  port: number,
): Promise<ServedPage> {
  const guard = new Guard();
  const listen = async (address: string, at: number): Promise<Server> => {
    const server = createServer((request, response) => {
      const { port: own } = server.address() as AddressInfo;
      const site = { html, policy: policyOf(html, own), inspector, views, guard, port: own };
      answer(request, response, site).catch((error: unknown) => {
        if (!response.headersSent) send(response, 400, messageOf(error));
        else response.destroy();
      });
    });
    await once(server.listen(at, address), 'listening');
    return server;
  };
  try {
    const server = await listen('127.0.0.1', port);
    const { port: own } = server.address() as AddressInfo;
    // Browsers look for `localhost` there, too, where another program must not listen.
    const second = await listen('::1', own).catch((error: unknown) => {
      if (codeOf(error) !== 'EADDRINUSE') return undefined;
      closed(server);
      throw error;
    });
    return {
      url: `http://127.0.0.1:${own}/?token=${guard.token}`,
      [Symbol.asyncDispose]: async () => {
        closed(server);
        if (second) closed(second);
      },
    };
  } catch (error) {
    throw usageError(
      `Cannot listen on port ${port}: ${messageOf(error)}`,
      '--port takes another one; 0 is a free one',
    );
  }
}

interface Site {
  readonly html: string;
  readonly policy: string;
  readonly inspector: Inspector;
  readonly views: ViewFrames;
  readonly guard: Guard;
  readonly port: number;
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const { html, policy, inspector, guard, port } = site;
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-security-policy', policy);
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('x-content-type-options', 'nosniff');
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.headers.host === `localhost:${port}`) return sendView(response, url.pathname, site);
  const token = url.searchParams.get('token');
  const path = `${request.method} ${url.pathname}`;
  const cookie = path === 'GET /' && token !== null ? guard.cookieFor(token, port) : undefined;
  if (cookie !== undefined) {
    response.writeHead(303, { location: '/', 'set-cookie': cookie }).end();
    return;
  }
  const problem = guard.problemOf(request, port);
  if (problem !== undefined) return send(response, 403, `${problem}\n`);
  if (path === 'GET /' && token !== null) {
    response.writeHead(303, { location: '/' }).end();
    return;
  }
  if (path === 'GET /') return send(response, 200, html, 'text/html');
  if (path === 'GET /events') return sendEvents(request, response, inspector, url);
  if (path !== 'POST /do') return send(response, 404, 'There is no such page\n');
  const result = await inspector.answer(JSON.parse(await textOf(request)));
  return send(response, 200, JSON.stringify(result), 'application/json');
}

/** Sends the frame of a view to the page. */
function sendView(response: ServerResponse, path: string, { views, port }: Site): void {
  const frame = views.take(path, `http://127.0.0.1:${port}`);
  if (!frame) return send(response, 404, `The page is at http://127.0.0.1:${port}/\n`);
  response.setHeader('content-security-policy', frame.policy);
  send(response, 200, frame.html, 'text/html');
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(text);
}

/** Sends events to the page, from the message on that it has not seen. */
function sendEvents(
  request: IncomingMessage,
  response: ServerResponse,
  inspector: Inspector,
  url: URL,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const after = Number(request.headers['last-event-id'] ?? url.searchParams.get('after') ?? 0);
  const { resume, stop } = inspector.listen(
    (event) => {
      const last = 'messages' in event ? (event.messages as { number: number }[]).at(-1)?.number : undefined;
      return response.write(`${last === undefined ? '' : `id: ${last}\n`}data: ${JSON.stringify(event)}\n\n`);
    },
    Number.isSafeInteger(after) ? after : 0,
  );
  response.on('drain', resume);
  response.on('close', stop);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxRequestBytes) throw new Error(`The request has more than ${maxRequestBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The page runs its own script and style alone, and reaches nothing but this server. */
function policyOf(html: string, port: number): string {
  const hashes = (tag: string) =>
    Array.from(html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g')), ([, text = '']) => {
      const hash = createHash('sha256').update(text).digest('base64');
      return `'sha256-${hash}'`;
    }).join(' ');
  return [
    "default-src 'none'",
    `script-src ${hashes('script')}`,
    `style-src ${hashes('style')}`,
    "connect-src 'self'",
    `frame-src http://localhost:${port}`,
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function closed(server: Server): void {
  server.close();
  server.closeAllConnections();
}
