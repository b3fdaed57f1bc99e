import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, type ClientOptions, connect } from '@mcp/protocol/testing';
import type { Clock } from '../src/backend/clock.ts';
import type { Forecasts, ForecastsOptions } from '../src/backend/weather-service.ts';
import type { Weather } from '../src/context.ts';
import { weather } from '../src/server.ts';
import { Upstream } from './upstream.ts';

/** The moment at which the documents were made. */
export const started = Date.UTC(2026, 10, 20, 13, 46);

/** A clock that stands still. Short waits move it on at once; those of a refresher last until a test lets time pass. */
export class StillClock implements Clock {
  time = started;
  readonly waits: number[] = [];
  #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  #heard: (() => void)[] = [];

  readonly now = () => this.time;

  readonly pause = (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    this.waits.push(ms);
    for (const heard of this.#heard.splice(0)) heard();
    if (ms < 60_000) {
      this.time += ms;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const sleeper = { until: this.time + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason as Error);
      });
    });
  };

  /** How many wait for time to pass. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** Resolves when so many wait for time to pass. */
  async pausing(count: number): Promise<void> {
    while (this.#sleepers.size < count) await new Promise<void>((resolve) => this.#heard.push(resolve));
  }

  pass(ms: number): void {
    this.time += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until > this.time) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}

export type WorldOptions = Partial<ForecastsOptions>;

/** A temporary world: a data directory, an upstream on this machine, and a clock. */
export class World implements AsyncDisposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'weather-')));
  readonly data = join(this.base, 'data');
  readonly cache = join(this.data, 'cache/v1');
  readonly clock = new StillClock();
  readonly warnings: string[] = [];
  readonly upstream: Upstream;
  #opened: Forecasts[] = [];

  private constructor(upstream: Upstream) {
    this.upstream = upstream;
    mkdirSync(this.data);
  }

  static async create(): Promise<World> {
    return new World(await Upstream.start());
  }

  /** Puts a file into the data directory. */
  put(path: string, content: unknown): string {
    const file = join(this.data, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  read(path: string): string {
    return readFileSync(join(this.data, path), 'utf8');
  }

  /** Puts documents of the sample into the dataset. */
  putSample(place: string, ...products: string[]): void {
    for (const product of products) {
      const target = join(this.data, 'dataset', place, `${product}.json`);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(
        new URL(`../src/backend/providers/dataset/sample/${place}-${product}.json`, import.meta.url),
        target,
      );
    }
  }

  get cached(): string[] {
    return readdirSync(this.cache).toSorted();
  }

  options(options: WorldOptions = {}): ForecastsOptions {
    return {
      provider: 'open-meteo',
      directories: { data: this.data, cache: join(this.data, 'cache') },
      baseUrls: { 'open-meteo': this.upstream.url, nws: this.upstream.url },
      userAgent: 'weather-test',
      clock: this.clock,
      limits: { tryMs: 1_000 },
      warn: (message) => this.warnings.push(message.replaceAll(this.base, '')),
      ...options,
    };
  }

  /** A client of a server of this world. */
  async connect(options: WorldOptions = {}, client: ClientOptions = {}): Promise<Client> {
    const server = weather(this.options(options));
    const { forecasts } = await (server.context as () => Promise<Weather>)();
    this.#opened.push(forecasts);
    return connect(server, client);
  }

  /** Resolves when no server of this world does anything in the background. */
  async idle(): Promise<void> {
    await Promise.all(this.#opened.map((each) => each.idle()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#opened) each[Symbol.dispose]();
    await this.upstream[Symbol.asyncDispose]();
    rmSync(this.base, { recursive: true, force: true });
  }
}

export interface Told {
  readonly text: string;
  readonly facts: { readonly [name: string]: unknown };
  readonly isError: boolean;
}

/** What a tool tells, in words and as facts. */
export async function tell(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<Told> {
  const { content, structuredContent, isError = false } = await client.callTool(tool, args);
  const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
  return { text, facts: (structuredContent ?? {}) as Told['facts'], isError };
}

/** What a resource holds. */
export async function readJson(client: Client, uri: string): Promise<Told['facts']> {
  const { contents } = await client.readResource(uri);
  return JSON.parse((contents[0] as { text: string }).text) as Told['facts'];
}
