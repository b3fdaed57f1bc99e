import { retried } from './retried.ts';
import type { StreamEntry, StreamStore } from './shared-store.ts';

interface FollowerOptions {
  readonly streams: StreamStore;
  readonly name: string;
  /** The place after which to begin. */
  readonly place: number;
  /** Whether the stream may begin later. Default: a stream that is not there has ended. */
  readonly waits?: boolean;
  /** Called with each text, in order. */
  readonly heard: (entry: StreamEntry) => void;
  /** Called when the stream has ended, or when texts are missing that were not read yet. */
  readonly ended: () => void;
}

/** Reads a stream that any process writes, from a place on, until it ends or is stopped. */
export class StreamFollower {
  readonly #options: FollowerOptions;
  place: number;
  #reading = false;
  #again = false;
  readonly #stopped = new AbortController();

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.place = options.place;
    void this.#follow();
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Reads what is new. */
  read(): void {
    this.#again = true;
    if (!this.#reading) void this.#read();
  }

  async #follow(): Promise<void> {
    const { streams, name } = this.#options;
    const { signal } = this.#stopped;
    const stop = await retried(() => streams.follow(name, () => this.read()), signal);
    if (!stop) return;
    if (signal.aborted) return void stop();
    signal.addEventListener('abort', () => void stop());
    this.read();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    while (this.#again && !this.#stopped.signal.aborted) {
      this.#again = false;
      const { streams, name } = this.#options;
      const read = async () => ({ entries: await streams.after(name, this.place) });
      const found = await retried(read, this.#stopped.signal);
      if (found) this.#hear(found.entries);
    }
    this.#reading = false;
  }

  #hear(entries: readonly StreamEntry[] | undefined): void {
    if (!entries) return this.#options.waits ? undefined : this.#end();
    for (const entry of entries) {
      if (this.#stopped.signal.aborted) return;
      if (entry.place !== this.place + 1) return this.#end();
      this.place = entry.place;
      this.#options.heard(entry);
      if (entry.last) return this.#end();
    }
  }

  #end(): void {
    if (this.#stopped.signal.aborted) return;
    this.stop();
    this.#options.ended();
  }
}
