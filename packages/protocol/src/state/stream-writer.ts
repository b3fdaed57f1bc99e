import { backOff } from '@mcp/kit';
import type { StreamStore } from './shared-store.ts';
import type { ProcessLease } from './process-lease.ts';

/** A message with its place in the stream. */
export interface Placed {
  readonly place: number;
  readonly text: string;
}

interface WriterOptions {
  readonly streams: StreamStore;
  readonly name: string;
  readonly lease: ProcessLease;
  /** Maximum number of characters that the store keeps of this stream, and that wait for it. */
  readonly maxLength: number;
  /** Called with each message, in order: when it is stored, or as soon as it is known that it is not. */
  readonly deliver: (message: Placed) => void;
  /** Called when the last message was delivered, or when another process has ended the stream. */
  readonly ended: () => void;
}

/** How long a stream that goes on is kept after its newest message, and one that has ended. */
const openMs = 6 * 60 * 60_000;
const endedMs = 5 * 60_000;
/** A message that cannot be stored for this long is not stored any more. */
const giveUpMs = 120_000;
const retries = { minMs: 50, maxMs: 2_000 };

/**
 * Stores the messages of one stream, in order. A message is delivered after it is stored, so that it is not
 * lost with this process. While the store fails, messages are delivered at once, and stored later: their
 * places are known, so that a client which goes on from one gets no message twice.
 */
export class StreamWriter {
  readonly #options: WriterOptions;
  #queue: Placed[] = [];
  #queued = 0;
  #place = 0;
  #delivered = 0;
  /** The newest message that the store may have. */
  #tried = 0;
  #isLast = false;
  #writing: Promise<void> | undefined;
  #failedAt: number | undefined;
  #over = false;
  /** The messages that the store keeps, the oldest first, without the first one, which is never deleted. */
  readonly #kept: { readonly place: number; readonly length: number }[] = [];
  #keptLength = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** The number of characters that wait for the store. */
  get queued(): number {
    return this.#queued;
  }

  add(text: string): void {
    if (this.#isLast || this.#over) return;
    this.#queue.push({ place: ++this.#place, text });
    this.#queued += text.length;
    if (this.#failedAt !== undefined) this.#deliver(this.#place);
    this.#writing ??= this.#write();
  }

  /**
   * Ends the stream with the message that was added last, or with an empty one if the store may have that
   * message already.
   */
  end(): void {
    if (this.#isLast || this.#over) return;
    if (this.#place === this.#tried) this.add('');
    this.#isLast = true;
    if (this.#delivered === this.#place) this.#end();
  }

  /** Resolves when nothing waits for the store. */
  async flushed(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    // The end of a stream follows its last message at once: they are stored together.
    await Promise.resolve();
    for (let attempt = 1; this.#queue.length > 0; attempt++) {
      try {
        await this.#writeOnce();
        this.#failedAt = undefined;
        attempt = 0;
      } catch {
        this.#failedAt ??= performance.now();
        this.#deliver(this.#place);
        const isHopeless = performance.now() - this.#failedAt > giveUpMs;
        if (isHopeless || this.#queued > this.#options.maxLength) this.#drop();
        // What waits for the store does not keep a process alive that ends.
        else await backOff(retries, attempt, { unref: true });
      }
    }
    this.#writing = undefined;
  }

  async #writeOnce(): Promise<void> {
    const { streams, name, lease } = this.#options;
    await lease.hold();
    const batch = [...this.#queue];
    const last = this.#isLast;
    this.#tried = this.#place;
    const isKept = await streams.append(
      name,
      batch.map(({ text }) => text),
      { at: batch[0]!.place, last, ttlMs: last ? endedMs : openMs },
    );
    if (!isKept) {
      // Another process took this one for dead, and has told the client so.
      this.#drop();
      return this.#end();
    }
    this.#deliver(batch.at(-1)!.place);
    this.#forget(batch.length);
    this.#trim(batch);
  }

  /** Delivers what was not delivered yet, up to a place. */
  #deliver(upTo: number): void {
    for (const message of this.#queue) {
      if (message.place > upTo) break;
      if (message.place <= this.#delivered) continue;
      this.#delivered = message.place;
      this.#options.deliver(message);
    }
    if (this.#isLast && this.#delivered === this.#place) this.#end();
  }

  #forget(count: number): void {
    for (const { text } of this.#queue.splice(0, count)) this.#queued -= text.length;
  }

  #drop(): void {
    this.#forget(this.#queue.length);
  }

  #trim(batch: readonly Placed[]): void {
    for (const { place, text } of batch) {
      if (place === 1) continue;
      this.#kept.push({ place, length: text.length });
      this.#keptLength += text.length;
    }
    const old: number[] = [];
    while (this.#keptLength > this.#options.maxLength && this.#kept.length > 1) {
      const { place, length } = this.#kept.shift()!;
      this.#keptLength -= length;
      old.push(place);
    }
    // What is not deleted now expires with the stream.
    if (old.length > 0) void this.#options.streams.trim(this.#options.name, old).catch(() => undefined);
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.ended();
  }
}
