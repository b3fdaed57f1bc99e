import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
// By their paths, because these are no packages.
import { bundledProgram } from '../../test-kit/src/bundled-program.ts';
import { EventReader } from '../../protocol/test/http/events.ts';
import type { ReplicaOptions } from './fixtures/serve-replica.ts';

/** Where a replica is. */
export type At = Pick<Replica, 'url'>;

export type Message = { readonly [name: string]: unknown };

/** The program of a replica, as one file. */
export function replicaProgram(): string {
  return bundledProgram(fileURLToPath(new URL('fixtures/serve-replica.ts', import.meta.url)));
}

/** A process of the server. */
export class Replica implements AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  static async start(options: ReplicaOptions): Promise<Replica> {
    const child = spawn(process.execPath, [replicaProgram(), JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const failed = once(child, 'exit').then(() => Promise.reject(new Error('The replica did not start')));
    const [line] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer];
    failed.catch(() => undefined);
    return new Replica(child, line.toString().trim());
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill(signal);
    await once(this.child, 'exit');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }
}

/** A client of one session that chooses the replica of each request. */
export class Session {
  readonly #version: string;
  readonly #token: string;
  #id = '';
  #lastId = 0;

  private constructor(version: string, token: string) {
    this.#version = version;
    this.#token = token;
  }

  static async open(replica: At, version: string, token = 'alice', more: Message = {}): Promise<Session> {
    const session = new Session(version, token);
    const response = await session.send(replica, 'initialize', {
      protocolVersion: version,
      capabilities: { elicitation: {}, ...more },
      clientInfo: { name: 'raw', version: '0' },
    });
    session.#id = response.headers.get('mcp-session-id') ?? '';
    await response.text();
    await session.notify(replica, 'notifications/initialized');
    return session;
  }

  /** The id of the last request. */
  get lastId(): number {
    return this.#lastId;
  }

  send({ url }: At, method: string, params: Message = {}): Promise<Response> {
    return this.post(url, { jsonrpc: '2.0', id: ++this.#lastId, method, params });
  }

  call(replica: At, name: string, args: Message = {}, _meta: Message = {}): Promise<Response> {
    return this.send(replica, 'tools/call', { name, arguments: args, _meta });
  }

  notify({ url }: At, method: string, params: Message = {}): Promise<Response> {
    return this.post(url, { jsonrpc: '2.0', method, params });
  }

  respond({ url }: At, id: unknown, result: Message): Promise<Response> {
    return this.post(url, { jsonrpc: '2.0', id, result });
  }

  post(url: string, message: Message): Promise<Response> {
    const headers = { 'content-type': 'application/json', ...this.#headers };
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
  }

  get({ url }: At, lastEventId?: string): Promise<Response> {
    const from = lastEventId === undefined ? undefined : { 'last-event-id': lastEventId };
    return fetch(url, { headers: { ...this.#headers, ...from } });
  }

  delete({ url }: At): Promise<Response> {
    return fetch(url, { method: 'DELETE', headers: this.#headers });
  }

  get #headers(): { readonly [name: string]: string } {
    return {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.#token}`,
      ...(this.#id !== '' && { 'mcp-session-id': this.#id, 'mcp-protocol-version': this.#version }),
    };
  }
}

/** The text of the result of a tool, at the end of its answer. */
export async function textOf(response: Response): Promise<string | undefined> {
  const isJson = response.headers.get('content-type') === 'application/json';
  const message = isJson ? await response.json() : await lastMessage(response);
  return (message as { result?: { content: readonly [{ text: string }] } } | undefined)?.result?.content[0]
    .text;
}

async function lastMessage(response: Response): Promise<unknown> {
  const events = await new EventReader(response).rest();
  return JSON.parse(events.findLast(({ data }) => data)?.data ?? 'null');
}

/** Status and error of a response. */
export async function refusal(response: Response): Promise<readonly [status: number, message: unknown]> {
  const body = (await response.json()) as { error: { message: string } };
  return [response.status, body.error.message];
}
