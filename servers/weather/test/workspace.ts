import {
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
import type { Clock, WeatherService } from '@mcp/weather-data';
import type { WeatherContext } from '../src/context.ts';
import { weather, type WeatherOptions } from '../src/server.ts';
import { sampleDocument } from './sample-document.ts';
import { Upstream } from './upstream.ts';

/** The time at which the documents were made. */
export const started = Date.UTC(2026, 10, 20, 13, 46);

/** A clock that is moved by hand. Pauses under a minute move it immediately; longer ones wait for `pass`. */
export class ManualClock implements Clock {
  time = started;
  readonly waits: number[] = [];
  #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  #listeners: (() => void)[] = [];

  readonly now = () => this.time;

  readonly pause = (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    this.waits.push(ms);
    for (const listener of this.#listeners.splice(0)) listener();
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

  /** The number of pauses that wait for `pass`. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** Resolves when `count` pauses wait for `pass`. */
  async pausing(count: number): Promise<void> {
    while (this.#sleepers.size < count) await new Promise<void>((resolve) => this.#listeners.push(resolve));
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

export type WorkspaceOptions = Partial<WeatherOptions>;

/** A temporary data directory, with a local upstream and a clock. */
export class Workspace implements AsyncDisposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'weather-')));
  readonly data = join(this.base, 'data');
  readonly cache = join(this.data, 'cache/v1');
  readonly clock = new ManualClock();
  readonly warnings: string[] = [];
  readonly upstream: Upstream;
  #opened: WeatherService[] = [];

  private constructor(upstream: Upstream) {
    this.upstream = upstream;
    mkdirSync(this.data);
  }

  static async create(): Promise<Workspace> {
    return new Workspace(await Upstream.start());
  }

  /** Writes a file into the data directory. */
  put(path: string, content: unknown): string {
    const file = join(this.data, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  read(path: string): string {
    return readFileSync(join(this.data, path), 'utf8');
  }

  /** Writes documents of the sample into the dataset. */
  putSample(place: string, ...products: string[]): void {
    for (const product of products)
      this.put(`dataset/${place}/${product}.json`, sampleDocument(`${place}-${product}`));
  }

  get cached(): string[] {
    return readdirSync(this.cache).toSorted();
  }

  options(options: WorkspaceOptions = {}): WeatherOptions {
    return {
      provider: 'open-meteo',
      directories: { data: this.data, cache: join(this.data, 'cache') },
      baseUrls: { 'open-meteo': this.upstream.url, nws: this.upstream.url, meteoalarm: this.upstream.url },
      userAgent: 'weather-test',
      clock: this.clock,
      limits: { attemptTimeoutMs: 1_000 },
      warn: (message) => this.warnings.push(message.replaceAll(this.base, '')),
      ...options,
    };
  }

  /** Connects a client to a new server in this workspace. */
  async connect(options: WorkspaceOptions = {}, client: ClientOptions = {}): Promise<Client> {
    const server = weather(this.options(options));
    const { weather: service } = await (server.context as () => Promise<WeatherContext>)();
    this.#opened.push(service);
    return connect(server, client);
  }

  /** Resolves when no server of this workspace has background work. */
  async idle(): Promise<void> {
    await Promise.all(this.#opened.map((each) => each.idle()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#opened) each[Symbol.dispose]();
    await this.upstream[Symbol.asyncDispose]();
    rmSync(this.base, { recursive: true, force: true });
  }
}

export interface ToolAnswer {
  readonly text: string;
  readonly facts: { readonly [name: string]: unknown };
  readonly isError: boolean;
}

/** Calls a tool and returns its text and, of an error, its structured content. */
export async function callForText(
  client: Client,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const { content, structuredContent, isError = false } = await client.callTool(tool, args);
  const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
  return { text, facts: (structuredContent ?? {}) as ToolAnswer['facts'], isError };
}

/** Whether a tool publishes the argument `format`: its answers are also structured content. */
export async function hasFormat(client: Client, tool: string): Promise<boolean> {
  const found = (await client.listTools()).find(({ name }) => name === tool);
  const { properties = {} } = (found?.inputSchema ?? {}) as { properties?: object };
  return 'format' in properties;
}

/** Calls a tool for its text, and again for the same answer as structured content. */
export async function callTool(
  client: Client,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const answer = await callForText(client, tool, args);
  if (answer.isError || 'chart' in args || !(await hasFormat(client, tool))) return answer;
  const { structuredContent } = await client.callTool(tool, { ...args, format: 'json' });
  return { ...answer, facts: structuredContent as ToolAnswer['facts'] };
}

/** Reads a resource as JSON. */
export async function readJson(client: Client, uri: string): Promise<ToolAnswer['facts']> {
  const { contents } = await client.readResource(uri);
  return JSON.parse((contents[0] as { text: string }).text) as ToolAnswer['facts'];
}
