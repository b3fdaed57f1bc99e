import { unref } from '@mcp/kit';
import type { Caller } from '../../define/caller.ts';

/** An open HTTP response, the destination of a stream's text. */
export interface Sink {
  /** Writes text; returns false if further text should wait for {@link EventStream.resume}. */
  write(text: string): boolean;
  end(): void;
}

export interface ServerEvent {
  readonly id?: string;
  readonly name?: string;
  readonly data: string;
}

/** The number of queued characters above which a stream is congested, so that notifications wait. */
const highWaterMark = 1024 * 1024;

/**
 * A stream of Server-Sent Events to one client; it queues the events that the client has not read yet.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class EventStream {
  /** Called when the token of an open stream has got other scopes. */
  renewed: ((caller: Caller) => void) | undefined = undefined;
  #sink: Sink | undefined;
  #queue: string[] = [];
  #queued = 0;
  #full = false;
  #ended = false;
  readonly #waiting: (() => void)[] = [];
  readonly #closed: (() => void)[] = [];

  send({ id, name, data }: ServerEvent): void {
    // Serialized JSON has no line breaks, so one line of `data` is enough.
    this.#write(
      `${id === undefined ? '' : `id: ${id}\n`}${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`,
    );
  }

  /** Sends a comment every `ms` milliseconds, so that proxies keep an idle connection open. */
  keepAlive(ms: number): void {
    const send = () => {
      if (!this.congested) this.#write(':\n\n');
    };
    const timer = unref(setInterval(send, ms));
    this.whenClosed(() => clearInterval(timer));
  }

  /** Sends the delay, in milliseconds, before the client should reconnect. */
  retry(ms: number): void {
    this.#write(`retry: ${ms}\n\n`);
  }

  /** Delivers queued events, then ends the response. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#flush();
    // No more events will be queued, so callers that wait for room in the queue can go on.
    this.#letGo();
  }

  /** The number of queued characters that the response has not accepted yet. */
  get queued(): number {
    return this.#queued;
  }

  get congested(): boolean {
    return this.#queued > highWaterMark;
  }

  drained(): Promise<void> {
    if (!this.congested) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Connects the stream with the response that carries it. */
  attach(sink: Sink): void {
    this.#sink = sink;
    this.#flush();
  }

  /** Called when the response accepts text again. */
  resume(): void {
    this.#full = false;
    this.#flush();
  }

  /** Called when the client has disconnected, or has received everything. */
  close(): void {
    this.#ended = true;
    this.#sink = undefined;
    this.#queue = [];
    this.#queued = 0;
    this.#letGo();
    for (const closed of this.#closed.splice(0)) closed();
  }

  /** Calls `closed` once, when the client disconnects or the stream has been delivered. */
  whenClosed(closed: () => void): void {
    this.#closed.push(closed);
  }

  #write(text: string): void {
    if (this.#ended) return;
    this.#queue.push(text);
    this.#queued += text.length;
    this.#flush();
  }

  #flush(): void {
    const sink = this.#sink;
    if (!sink || this.#full) return;
    if (this.#queue.length > 0) {
      const text = this.#queue.join('');
      this.#queue = [];
      this.#queued = 0;
      this.#full = !sink.write(text);
      this.#letGo();
    }
    if (!this.#ended) return;
    sink.end();
    this.close();
  }

  #letGo(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
