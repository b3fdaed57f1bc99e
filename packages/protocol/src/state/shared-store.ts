import type { StateStore } from './state-store.ts';

/**
 * What the processes that serve one server share, such as `connectRedis()` of `@mcp/redis`. Each method
 * throws a {@link StoreUnavailable} while the store cannot be reached, or has no room.
 */
export interface SharedStore {
  /** Values of the application. */
  readonly state: StateStore;
  readonly streams: StreamStore;
  readonly bus: Bus;
  readonly leases: LeaseStore;
  /** The table with this name, such as `tasks`. A table is deleted when nothing was set for `ttlMs`. */
  table(name: string, ttlMs: number): Table;
}

/** Texts by key, which can be listed: it is also the `store` of `createTasks`. */
export interface Table {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Stores `text` if the stored text is `old`; returns whether it was. */
  replace(key: string, old: string, text: string): Promise<boolean>;
  keys(): Promise<readonly string[]>;
  /** The number of keys. */
  size(): Promise<number>;
}

/** A text of a stream. */
export interface StreamEntry {
  /** Its place in the stream; the first text has the place 1. */
  readonly place: number;
  readonly text: string;
  /** Whether the stream has ended with this text. */
  readonly last: boolean;
}

/** How texts are appended. */
export interface AppendOptions {
  /**
   * The place of the first text. Texts whose places the stream has already are not stored again, so a process
   * that does not know whether it has stored texts stores them again. Default: the next place.
   */
  readonly at?: number;
  /** Whether the stream ends with the last of these texts: later ones are refused. Default: false. */
  readonly last?: boolean;
  /** Whether the texts are refused if there is no such stream. Default: false. */
  readonly existing?: boolean;
  /** How long the stream is kept after this, in milliseconds. */
  readonly ttlMs: number;
}

/** Texts in order, which any process can read from any place on. */
export interface StreamStore {
  /** Appends texts at once; returns false if the stream has ended, or if there is none (`existing`). */
  append(stream: string, texts: readonly string[], options: AppendOptions): Promise<boolean>;
  /** The texts after a place that are still there; undefined if there is no such stream. */
  after(stream: string, place: number): Promise<readonly StreamEntry[] | undefined>;
  /** Deletes the texts at these places. */
  trim(stream: string, places: readonly number[]): Promise<void>;
  /**
   * Calls `changed` after texts were appended, and when that may have happened unnoticed. Resolves with a
   * function that ends this, once no later text can be missed.
   */
  follow(stream: string, changed: () => void): Promise<() => Promise<void>>;
}

/** Messages to all processes that listen now. */
export interface Bus {
  publish(channel: string, message: string): Promise<void>;
  /**
   * Calls `heard` with each message, and `lost` when messages may have been missed, for example after a lost
   * connection. Resolves with a function that ends this, once no later message can be missed unnoticed.
   */
  subscribe(
    channel: string,
    heard: (message: string) => void,
    lost: () => void,
  ): Promise<() => Promise<void>>;
}

/** Names that one process at a time holds, for as long as it says so again. */
export interface LeaseStore {
  /**
   * Holds a name for `ttlMs` more, as the holder with this `token`, or anew. Returns a token that is higher
   * than all before it (a fencing token), or the one given; undefined if another one holds the name.
   */
  hold(name: string, ttlMs: number, token?: number): Promise<number | undefined>;
  release(name: string, token: number): Promise<void>;
  isHeld(name: string): Promise<boolean>;
}

/** What processes share cannot be used now. An endpoint answers with 503, and clients try again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** When a client may try again. */
  readonly retryAfterSeconds: number;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds ?? 2;
  }
}

/** What clients are told; the error itself may name addresses. */
export const unavailableText = 'What the processes of this server share cannot be used now; try again later';

/** Compares the name, because another package may have its own copy of the class. */
export function isStoreUnavailable(error: unknown): error is StoreUnavailable {
  return error instanceof Error && error.name === 'StoreUnavailable';
}
