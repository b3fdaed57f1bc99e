import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Ask, Read, UpstreamDocument } from './upstream-document.ts';
import { Failure, isPassing, messageOf, quoted } from '../errors.ts';
import { codeOf, replaceFile, stampOf } from './atomic-files.ts';
import type { HttpClient, Reply } from '../http/http-client.ts';
import { isJson, numberIn } from '../json-fields.ts';
import type { Maybe } from '../maybe-promise.ts';
import { Recent } from './lru-map.ts';
import { setAside } from './quarantine-file.ts';
import { SingleFlight } from './single-flight.ts';
import type { Sweeper } from './cache-cleanup.ts';

export interface LibraryOptions {
  /** Directory of the cache. */
  readonly directory: string;
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly sweeper: Sweeper;
  readonly warn: (message: string) => void;
}

/** A document that was read from its file or its upstream. */
interface Entry {
  /** Of the file that holds it; undefined where it could not be written. */
  readonly stamp: string | undefined;
  /** When the file was last seen to be the same, by the process's own clock. */
  seenAt: number;
  readonly freshUntil: number;
  readonly read: Read<unknown>;
}

/** How long a file is taken to be what it was; whoever hears of its change does so later than that. */
const seenMs = 10;

/** How far a time may be ahead of the clock before it is not believed. */
const skewMs = 60_000;

const version = 1;

/** Documents of the upstreams, kept on disk between processes: from there while they are fresh, else asked for anew. */
export class Library {
  readonly #options: LibraryOptions;
  readonly #entries = new Recent<Entry>(500);
  readonly #files = new WeakMap<UpstreamDocument<unknown>, string>();
  readonly #flights = new SingleFlight<Read<unknown>>();
  readonly #warned = new Set<string>();
  /** Files that cannot be used and could not be moved: not ours to overwrite. */
  readonly #untouchable = new Set<string>();

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /** The document as fresh as it can be had; stale where the upstream cannot be asked at the moment. */
  load<Model>(document: UpstreamDocument<Model>, ask: Ask): Maybe<Read<Model>> {
    const file = this.#fileOf(document);
    ask.used?.(file);
    const known = this.#entries.get(file);
    if (
      known &&
      !ask.anew &&
      performance.now() - known.seenAt < seenMs &&
      isFresh(known, this.#options.clock.now())
    ) {
      return known.read as Read<Model>;
    }
    return this.#loadFrom(file, document, ask);
  }

  async #loadFrom<Model>(file: string, document: UpstreamDocument<Model>, ask: Ask): Promise<Read<Model>> {
    const kept = (await this.#onDisk(file, document)) as (Entry & { read: Read<Model> }) | undefined;
    const { now } = this.#options.clock;
    if (kept && !ask.anew && isFresh(kept, now())) return kept.read;
    if (ask.offline) {
      if (kept) return kept.read;
      throw new Failure('no_data', `Nothing is known yet of this ${document.product}`);
    }
    try {
      const background = ask.background ?? false;
      const fetch = (signal: AbortSignal) => this.#fetch(file, document, background, signal);
      return (await this.#flights.join(file, fetch, ask.signal)) as Read<Model>;
    } catch (error) {
      // A refresher has to know that it failed; everyone else is better off with what was known.
      if (!kept || !isPassing(error) || ask.background) throw error;
      return { ...kept.read, stale: true, problem: error };
    }
  }

  /** When what is on disk will no longer be fresh, in milliseconds since 1970; undefined where there is nothing. */
  freshUntil(file: string): number | undefined {
    return this.#entries.get(file)?.freshUntil;
  }

  async #fetch<Model>(
    file: string,
    document: UpstreamDocument<Model>,
    background: boolean,
    signal: AbortSignal,
  ): Promise<Read<Model>> {
    const reply = await this.#options.client.getJson({ ...document.question(), background }, signal);
    const model = document.read(reply.json);
    const freshMs = freshFor(document, reply);
    const read = { model, source: document.source, fetchedAt: reply.receivedAt, stale: false };
    const stamp = await this.#write(file, document, reply, freshMs);
    this.#entries.set(file, {
      stamp,
      seenAt: performance.now(),
      freshUntil: reply.receivedAt + freshMs,
      read,
    });
    return read;
  }

  /** Keeps a document for the next process; where that fails, this one still has it. */
  async #write(
    file: string,
    { key, source }: UpstreamDocument<unknown>,
    { text, receivedAt }: Reply,
    freshMs: number,
  ): Promise<string | undefined> {
    if (this.#untouchable.has(file)) return undefined;
    const envelope = JSON.stringify({ version, key, source, fetchedAt: receivedAt, freshMs });
    try {
      await replaceFile(file, `${envelope.slice(0, -1)},"document":${text}}\n`);
      this.#options.sweeper.written();
      return stampOf(file);
    } catch (error) {
      this.#warnOnce(
        `write ${codeOf(error)}`,
        `Answers cannot be kept in ${quoted(this.#options.directory, 300)}: ${messageOf(error)}`,
      );
      return undefined;
    }
  }

  async #onDisk(file: string, document: UpstreamDocument<unknown>): Promise<Entry | undefined> {
    const seenAt = performance.now();
    const stamp = stampOf(file);
    const known = this.#entries.get(file);
    if (known) known.seenAt = seenAt;
    // What could not be written is all there is, and what was deleted is still true.
    if (known && (stamp === undefined || known.stamp === stamp)) return this.#unlessTooOld(known, document);
    if (stamp === undefined || this.#untouchable.has(file)) return known;
    try {
      const entry = { stamp, seenAt, ...readEnvelope(await readFile(file, 'utf8'), document) };
      this.#entries.set(file, entry);
      return this.#unlessTooOld(entry, document);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return known;
      const aside = await setAside(file);
      if (aside === undefined) this.#untouchable.add(file);
      const where = aside === undefined ? 'it stays where it is' : `it is kept as ${quoted(aside, 300)}`;
      this.#warnOnce(`${file} ${stamp}`, `Cannot use ${quoted(file, 300)}: ${messageOf(error)}; ${where}`);
      return known;
    }
  }

  #unlessTooOld(entry: Entry, { keepMs }: UpstreamDocument<unknown>): Entry | undefined {
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

/** A time from the future is the clock's mistake, then or now; what it says is not fresh for ever. */
function isFresh({ freshUntil, read }: Entry, now: number): boolean {
  return now < freshUntil && read.fetchedAt <= now + skewMs;
}

/** What the upstream says, where it says more than we would have waited; but never for long. */
function freshFor({ freshMs }: UpstreamDocument<unknown>, { maxAgeMs = 0 }: Reply): number {
  return Math.min(Math.max(freshMs, maxAgeMs), 4 * freshMs);
}

function readEnvelope(text: string, document: UpstreamDocument<unknown>): Omit<Entry, 'stamp' | 'seenAt'> {
  const envelope = JSON.parse(text) as unknown;
  if (!isJson(envelope)) throw new Error('It holds no object');
  if (envelope['version'] !== version)
    throw new Error(`Its version is ${String(envelope['version'])} and not ${version}`);
  if (envelope['key'] !== document.key) throw new Error('It is about something else');
  const fetchedAt = numberIn(envelope, 'fetchedAt');
  const freshMs = numberIn(envelope, 'freshMs');
  if (fetchedAt === undefined || freshMs === undefined)
    throw new Error('It does not say when it was fetched');
  const model = document.read(envelope['document']);
  return {
    freshUntil: fetchedAt + freshMs,
    read: { model, source: document.source, fetchedAt, stale: false },
  };
}
