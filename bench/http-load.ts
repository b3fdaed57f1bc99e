import { connect, type Socket } from 'node:net';
import { initialize } from './child.ts';

/** A stateless call of the tool `echo`, as bytes on the wire. */
export function echoRequest(url: URL): string {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'Hello' }, _meta: statelessMeta },
  });
  return post(url, body, version, 'Mcp-Method: tools/call\r\nMcp-Name: echo\r\n');
}

/** Opens a session of 2025-11-25, and returns its id. */
export async function openedSession(url: URL): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const opened = await fetch(url, { method: 'POST', headers, body: initialize });
  await opened.text();
  const session = opened.headers.get('mcp-session-id');
  if (session === null) throw new Error(`The server opened no session: ${opened.status}`);
  return session;
}

/** A call of the tool `echo` in a session. */
export function callInSession(url: URL, session: string): string {
  const params = { name: 'echo', arguments: { text: 'Hello' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return post(url, body, '2025-11-25', `Mcp-Session-Id: ${session}\r\n`);
}

/** A request for a stream of changes. */
export function listenRequest(url: URL): string {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: statelessMeta },
  });
  return post(url, body, version, 'Mcp-Method: subscriptions/listen\r\n');
}

const version = '2026-07-28';
const statelessMeta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function post({ host, pathname }: URL, body: string, revision: string, more: string): string {
  return (
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: ${revision}\r\n` +
    `${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Sends `total` requests over so many connections, one at a time on each; returns the seconds. */
export async function load(url: URL, request: string, total: number, connections: number): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)));
  let left = total;
  const started = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      while (left-- > 0) await exchange(socket, request);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  return seconds;
}

export function open({ hostname, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function exchange(socket: Socket, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const take = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (!isWhole(answer)) return;
      socket.off('data', take);
      if (answer.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(answer.slice(0, 500)));
    };
    socket.on('data', take);
    socket.write(request);
  });
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /content-length: (\d+)/i.exec(answer)?.[1];
  return length === undefined ? answer.endsWith('0\r\n\r\n') : answer.length >= end + 4 + Number(length);
}
