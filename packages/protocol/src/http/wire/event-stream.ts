/** Where a stream's text goes: an open HTTP response. */
export interface Sink {
  /** Takes text; false when more should wait for {@link EventStream.resume}. */
  write(text: string): boolean;
  end(): void;
}

export interface ServerEvent {
  readonly id?: string;
  readonly name?: string;
  readonly data: string;
}

/** Characters queued above which a stream counts as congested. */
const highWaterMark = 1024 * 1024;

/**
 * A stream of Server-Sent Events to one client: queues what the client has not taken yet.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class EventStream {
  #sink: Sink | undefined;
  #queue: string[] = [];
  #queued = 0;
  #full = false;
  #ended = false;
  readonly #waiting: (() => void)[] = [];
  readonly #closed: (() => void)[] = [];

  send({ id, name, data }: ServerEvent): void {
    // JSON has no line breaks, so that one line of data is enough.
    this.#write(
      `${id === undefined ? '' : `id: ${id}\n`}${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`,
    );
  }

  /** Sends a comment, so that proxies keep an idle connection open. */
  keepAlive(): void {
    if (!this.congested) this.#write(':\n\n');
  }

  /** Asks the client to wait this long before it comes back. */
  retry(ms: number): void {
    this.#write(`retry: ${ms}\n\n`);
  }

  /** Delivers what is queued, then ends the response. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#flush();
    // Nothing more will be queued, so that there is nothing to wait for.
    this.#letGo();
  }

  /** Characters that wait for the response to take more. */
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

  /** Connects the response that carries the stream. */
  attach(sink: Sink): void {
    this.#sink = sink;
    this.#flush();
  }

  /** The response can take more. */
  resume(): void {
    this.#full = false;
    this.#flush();
  }

  /** The client is gone, or has got everything. */
  close(): void {
    this.#ended = true;
    this.#sink = undefined;
    this.#queue = [];
    this.#queued = 0;
    this.#letGo();
    for (const closed of this.#closed.splice(0)) closed();
  }

  /** Calls `closed` once, when the client is gone or the stream has been delivered. */
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
