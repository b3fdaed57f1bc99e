import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** The server of Redis or Valkey. */
export const redisCommand = process.env['REDIS_SERVER'] ?? 'redis-server';

/** A Redis server of a test, with a directory that outlives its process. */
export class RedisServer implements AsyncDisposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 'mcp-redis-'));
  readonly #port: number;
  readonly #options: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, options: readonly string[]) {
    this.#port = port;
    this.#options = options;
  }

  /** Starts a server that loses nothing that it has acknowledged. `options` are those of its command line. */
  static async start(...options: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Starts the server again, at the same port with the same data. */
  async start(): Promise<void> {
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    const args = ['--port', String(this.#port), '--bind', '127.0.0.1', ...durable, ...this.#options];
    const child = spawn(redisCommand, args, { cwd: this.#directory, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    for await (const line of createInterface(child.stdout)) if (line.includes('Ready to accept')) break;
    child.stdout.resume();
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.kill('SIGKILL')) await once(child, 'exit');
  }

  /** Sends a command, and returns what `redis-cli` prints. */
  async command(...command: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('redis-cli', ['-u', this.url, ...command]);
    return stdout.trim();
  }

  /** Stops the process, which keeps its connections but answers nothing, or lets it go on. */
  pause(paused: boolean): void {
    this.#process?.kill(paused ? 'SIGSTOP' : 'SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
