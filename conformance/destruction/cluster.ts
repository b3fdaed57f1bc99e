import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisServer } from '../../packages/redis/test/redis-process.ts';
import { freePort, startNginx } from '../nginx.ts';
import { waitFor } from './deadline.ts';

const program = join(import.meta.dirname, 'replica.ts');

/** Three replicas behind nginx, in turn and without stickiness, with a Redis that loses nothing stored. */
export class Cluster implements AsyncDisposable {
  readonly url: string;
  readonly redis: RedisServer;
  readonly #directory: string;
  readonly #ports: readonly number[];
  readonly #replicas: (ChildProcess | undefined)[] = [];
  readonly #nginx: ChildProcess;
  #version = 1;

  private constructor(options: {
    readonly url: string;
    readonly redis: RedisServer;
    readonly directory: string;
    readonly ports: readonly number[];
    readonly nginx: ChildProcess;
  }) {
    this.url = options.url;
    this.redis = options.redis;
    this.#directory = options.directory;
    this.#ports = options.ports;
    this.#nginx = options.nginx;
  }

  static async start(): Promise<Cluster> {
    const directory = await mkdtemp(join(tmpdir(), 'mcp-destruction-'));
    const redis = await waitFor('Redis to start', 30, RedisServer.start());
    const ports = [await freePort(), await freePort(), await freePort()];
    const { url, nginx } = await startNginx(
      directory,
      ports.map((port) => `127.0.0.1:${port}`),
    );
    const cluster = new Cluster({ url, redis, directory, ports, nginx });
    await Promise.all(ports.map((_, index) => cluster.#startReplica(index)));
    return cluster;
  }

  get version(): string {
    return String(this.#version);
  }

  /** Kills a replica, and starts it again after a moment; while Redis is away, when it is back. */
  async kill(index: number): Promise<void> {
    await this.#end(index, 'SIGKILL');
    await this.#startReplica(index);
  }

  /** Kills Redis and starts it again with its stored data. */
  async restartRedis(awayMs: number): Promise<void> {
    await this.redis.kill();
    await new Promise((resolve) => setTimeout(resolve, awayMs));
    await waitFor('Redis to start again', 30, this.redis.start());
  }

  /** Replaces each replica by one of a new version, with its drain. */
  async roll(): Promise<void> {
    this.#version++;
    for (const index of this.#ports.keys()) {
      await this.#end(index, 'SIGTERM');
      await this.#startReplica(index);
    }
  }

  async #startReplica(index: number): Promise<void> {
    const args = [program, String(this.#ports[index]), this.redis.url, this.version];
    for (let attempt = 1; ; attempt++) {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      let told = '';
      child.stderr.on('data', (text) => (told = `${told}${String(text)}`.slice(-2_000)));
      const up = once(child.stdout, 'data').then(() => true);
      const down = once(child, 'exit').then(() => false);
      if (await waitFor(`replica ${index} to listen`, 30, Promise.race([up, down]))) {
        this.#replicas[index] = child;
        return;
      }
      // It cannot start without Redis.
      if (attempt === 30) throw new Error(`Replica ${index} does not start: ${told}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async #end(index: number, signal: NodeJS.Signals): Promise<void> {
    const child = this.#replicas[index];
    this.#replicas[index] = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await waitFor(`replica ${index} to end after ${signal}`, 30, once(child, 'exit'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#ports.map((_, index) => this.#end(index, 'SIGKILL')));
    this.#nginx.kill();
    await once(this.#nginx, 'exit');
    await this.redis[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
