import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, messageOf, reasonOf, isObject } from '@mcp/kit';
import { replaceFile } from '@mcp/kit/node';
import type { Clock } from '../clock.ts';
import type { FetchOptions, Fetched, UpstreamDocument } from './upstream-document.ts';
import { WeatherError, isTransient, quoted } from '../errors.ts';
import { stampOf } from './file-stamp.ts';
import type { HttpClient, HttpReply } from '../http/http-client.ts';
import { numberIn } from '../json-fields.ts';
import { LruMap } from './lru-map.ts';
import { quarantineFile } from './quarantine-file.ts';
import { SingleFlight } from './single-flight.ts';
import type { CacheCleanup } from './cache-cleanup.ts';

export interface DocumentCacheOptions {
  readonly directory: string;
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly cleanup: CacheCleanup;
  readonly warn: (message: string) => void;
}

/** A document that was read from its file or fetched from its upstream. */
interface Entry {
  /**
   * The text of `stampOf`, which changes with the document's file; undefined if the file could not be
   * written.
   */
  readonly stamp: string | undefined;
  /** When the file was last found unchanged, in milliseconds as of `performance.now()`. */
  checkedAt: number;
  readonly freshUntil: number;
  readonly read: Fetched<unknown>;
}

/**
 * How many milliseconds a `stat` of a file is reused. A change notification takes longer, so a read after it
 * never reuses a `stat` from before the change.
 */
const statReuseMs = 10;

/** How many milliseconds a file may be ahead of the clock before its time counts as wrong. */
const maxClockSkewMs = 60_000;

const formatVersion = 1;

/** Caches documents of upstreams in files that processes share, and serves them as long as they are fresh. */
export class DocumentCache {
  readonly #options: DocumentCacheOptions;
  readonly #entries = new LruMap<Entry>(500);
  readonly #files = new WeakMap<UpstreamDocument<unknown>, string>();
  readonly #inFlight = new SingleFlight<Fetched<unknown>>();
  readonly #warned = new Set<string>();
  /** Invalid files that could not be moved away; they are not overwritten. */
  readonly #unusable = new Set<string>();

  constructor(options: DocumentCacheOptions) {
    this.#options = options;
  }

  /**
   * Returns the document. A document that is not fresh is fetched again; if that fails temporarily, the stale
   * document is returned. A document that is fresh in memory is returned without a promise, because awaiting
   * a promise would take longer than the rest of the call.
   */
  load<Model>(
    document: UpstreamDocument<Model>,
    options: FetchOptions,
  ): Fetched<Model> | Promise<Fetched<Model>> {
    const file = this.#fileOf(document);
    options.onDependency?.(file);
    const known = this.#entries.get(file);
    if (
      known &&
      !options.revalidate &&
      performance.now() - known.checkedAt < statReuseMs &&
      isFresh(known, this.#options.clock.now())
    ) {
      return known.read as Fetched<Model>;
    }
    return this.#loadFrom(file, document, options);
  }

  async #loadFrom<Model>(
    file: string,
    document: UpstreamDocument<Model>,
    options: FetchOptions,
  ): Promise<Fetched<Model>> {
    const stored = (await this.#readStored(file, document)) as (Entry & { read: Fetched<Model> }) | undefined;
    const { now } = this.#options.clock;
    if (stored && !options.revalidate && isFresh(stored, now())) return stored.read;
    if (options.offline) {
      if (stored) return stored.read;
      throw new WeatherError('no_data', `No ${document.product} is in the cache yet`);
    }
    try {
      const background = options.background ?? false;
      const fetch = (signal: AbortSignal) => this.#fetch(file, document, background, signal);
      return (await this.#inFlight.join(file, fetch, options.signal)) as Fetched<Model>;
    } catch (error) {
      // A caller in the background must learn of the failure; other callers get the stale document.
      if (!stored || !isTransient(error) || options.background) throw error;
      return { ...stored.read, stale: true, problem: error };
    }
  }

  /** When a file's document ceases to be fresh, in ms since 1970; undefined if not in memory. */
  freshUntil(file: string): number | undefined {
    return this.#entries.get(file)?.freshUntil;
  }

  async #fetch<Model>(
    file: string,
    document: UpstreamDocument<Model>,
    background: boolean,
    signal: AbortSignal,
  ): Promise<Fetched<Model>> {
    const reply = await this.#options.client.getJson({ ...document.request(), background }, signal);
    const model = document.read(reply.json);
    const freshMs = freshFor(document, reply);
    const read = { model, source: document.source, fetchedAt: reply.receivedAt, stale: false };
    const stamp = await this.#write(file, document, reply, freshMs);
    this.#entries.set(file, {
      stamp,
      checkedAt: performance.now(),
      freshUntil: reply.receivedAt + freshMs,
      read,
    });
    return read;
  }

  /**
   * Writes a reply to its file, and returns the file's stamp. If writing fails, warns and returns undefined;
   * the document is then only in memory.
   */
  async #write(
    file: string,
    { key, source }: UpstreamDocument<unknown>,
    { text, receivedAt }: HttpReply,
    freshMs: number,
  ): Promise<string | undefined> {
    if (this.#unusable.has(file)) return undefined;
    const envelope = JSON.stringify({ version: formatVersion, key, source, fetchedAt: receivedAt, freshMs });
    try {
      await replaceFile(file, `${envelope.slice(0, -1)},"document":${text}}\n`);
      this.#options.cleanup.written();
      return stampOf(file);
    } catch (error) {
      this.#warnOnce(
        `write ${codeOf(error)}`,
        `Cannot write the cache in ${quoted(this.#options.directory, 300)}: ${reasonOf(error)}`,
      );
      return undefined;
    }
  }

  async #readStored(file: string, document: UpstreamDocument<unknown>): Promise<Entry | undefined> {
    const checkedAt = performance.now();
    const stamp = stampOf(file);
    const known = this.#entries.get(file);
    if (known) known.checkedAt = checkedAt;
    // A document in memory is valid if its file is unchanged, could not be written, or was deleted.
    if (known && (stamp === undefined || known.stamp === stamp)) return this.#unlessExpired(known, document);
    if (stamp === undefined || this.#unusable.has(file)) return known;
    try {
      const entry = { stamp, checkedAt, ...readEnvelope(await readFile(file, 'utf8'), document) };
      this.#entries.set(file, entry);
      return this.#unlessExpired(entry, document);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return known;
      const movedTo = await quarantineFile(file);
      if (movedTo === undefined) this.#unusable.add(file);
      const where =
        movedTo === undefined
          ? 'the file was left in place'
          : `the file was moved to ${quoted(movedTo, 300)}`;
      this.#warnOnce(`${file} ${stamp}`, `Cannot use ${quoted(file, 300)}: ${messageOf(error)}; ${where}`);
      return known;
    }
  }

  #unlessExpired(entry: Entry, { keepMs }: UpstreamDocument<unknown>): Entry | undefined {
    return this.#options.clock.now() - entry.read.fetchedAt > keepMs ? undefined : entry;
  }

  #fileOf(document: UpstreamDocument<unknown>): string {
    let file = this.#files.get(document);
    if (file === undefined) {
      const hash = createHash('sha256').update(document.key).digest('hex').slice(0, 32);
      file = join(this.#options.directory, `${document.product}-${hash}.json`);
      this.#files.set(document, file);
    }
    return file;
  }

  #warnOnce(about: string, message: string): void {
    if (this.#warned.has(about) || this.#warned.size > 1_000) return;
    this.#warned.add(about);
    this.#options.warn(message);
  }
}

/** A document from the future was written with a wrong clock, and would otherwise stay fresh very long. */
function isFresh({ freshUntil, read }: Entry, now: number): boolean {
  return now < freshUntil && read.fetchedAt <= now + maxClockSkewMs;
}

/** How many milliseconds a reply is fresh: `freshMs`, or a longer `max-age` up to four times `freshMs`. */
function freshFor({ freshMs }: UpstreamDocument<unknown>, { maxAgeMs = 0 }: HttpReply): number {
  return Math.min(Math.max(freshMs, maxAgeMs), 4 * freshMs);
}

function readEnvelope(text: string, document: UpstreamDocument<unknown>): Omit<Entry, 'stamp' | 'checkedAt'> {
  const envelope = JSON.parse(text) as unknown;
  if (!isObject(envelope)) throw new Error('not an object');
  if (envelope['version'] !== formatVersion)
    throw new Error(`version ${String(envelope['version'])} instead of ${formatVersion}`);
  if (envelope['key'] !== document.key) throw new Error('the key of another document');
  const fetchedAt = numberIn(envelope, 'fetchedAt');
  const freshMs = numberIn(envelope, 'freshMs');
  if (fetchedAt === undefined || freshMs === undefined) throw new Error('missing "fetchedAt" or "freshMs"');
  const model = document.read(envelope['document']);
  return {
    freshUntil: fetchedAt + freshMs,
    read: { model, source: document.source, fetchedAt, stale: false },
  };
}
