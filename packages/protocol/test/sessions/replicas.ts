import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fixtureProgram } from '../fixtures/fixture-program.ts';

interface Replica {
  readonly child: ChildProcess;
  readonly url: URL;
}

/** Which replica gets a request: each in turn, or by the session id. */
type Balance = 'in turn' | 'by session';

/** Processes of one server behind a load balancer, which passes on to another one when one is gone. */
export class Replicas {
  readonly #replicas: Replica[];
  readonly #proxy: Server;
  readonly #balance: Balance;
  readonly #program: string;
  #turn = 0;

  private constructor(replicas: Replica[], balance: Balance, program: string) {
    this.#program = program;
    this.#replicas = replicas;
    this.#balance = balance;
    this.#proxy = createServer((asked, answer) => void this.#forward(asked, answer));
  }

  /** Starts processes of a program, whose argument is `options` as JSON. */
  static async start(
    count: number,
    balance: Balance,
    options: object,
    program = fixtureProgram('serve-replica.ts'),
  ): Promise<Replicas> {
    const started = await Promise.all(Array.from({ length: count }, () => start(program, options)));
    const replicas = new Replicas(started, balance, program);
    replicas.#proxy.listen(0, '127.0.0.1');
    await once(replicas.#proxy, 'listening');
    return replicas;
  }

  /** The address of the load balancer. */
  get url(): string {
    return `http://127.0.0.1:${(this.#proxy.address() as AddressInfo).port}/mcp`;
  }

  get pids(): readonly (number | undefined)[] {
    return this.#replicas.map(({ child }) => child.pid);
  }

  /** Kills the replica at `index`, and starts another one in its place. */
  async replace(index: number, options: object): Promise<void> {
    await stop(this.#replicas[index]!);
    this.#replicas[index] = await start(this.#program, options);
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const { length } = this.#replicas;
    const first = this.#firstFor(asked.headers['mcp-session-id']);
    for (let tries = 0; tries < length; tries++)
      if (await pass(this.#replicas[(first + tries) % length]!.url, asked, body, answer)) return;
    answer.writeHead(502).end();
  }

  #firstFor(session: string | string[] | undefined): number {
    if (this.#balance === 'in turn' || typeof session !== 'string') return this.#turn++;
    return Buffer.from(session).reduce((sum, byte) => sum + byte, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#proxy.close();
    this.#proxy.closeAllConnections();
    await Promise.all(this.#replicas.map(stop));
  }
}

async function start(program: string, options: object): Promise<Replica> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: new URL(line.toString().trim()) };
}

async function stop({ child }: Replica): Promise<void> {
  if (child.kill('SIGKILL')) await once(child, 'exit');
}

/** Passes a request on; returns false if nothing listens at `url`. */
function pass(url: URL, asked: IncomingMessage, body: Buffer, answer: ServerResponse): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { method, headers } = asked;
  const sent = request(url, { method, headers }, (received) => {
    answer.writeHead(received.statusCode ?? 502, received.headers).flushHeaders();
    received.pipe(answer);
    received.on('error', () => answer.destroy());
    resolve(true);
  });
  sent.on('error', () => resolve(answer.headersSent));
  answer.on('close', () => sent.destroy());
  sent.end(body);
  return promise;
}
