import type { Outlet } from '../../server/call/outlet.ts';
import type { EventStream } from './event-stream.ts';
import { type HttpReply, jsonReply, streamReply } from './http-message.ts';

/** A stream of messages; `events` is the event stream that currently carries it. */
export interface MessageStream {
  readonly events: EventStream;
  message(text: string): void;
  /** Called after the last message is sent. */
  end(): void;
  /** Called instead of `end` if there is no answer. */
  abandon(): void;
  readonly congested: boolean;
  drained(): Promise<void>;
}

interface ReplyOptions {
  open(): MessageStream;
  statusOf(code: number | undefined): number;
  headers?(): HttpReply['headers'];
}

/** The answer to one POST request: a JSON object if there is only a response, otherwise a stream. */
export class ReplyOutlet implements Outlet {
  readonly shared = false;
  /** Resolves as soon as it is known whether the answer is a JSON object or a stream. */
  readonly reply: Promise<HttpReply>;
  readonly #options: ReplyOptions;
  #resolve!: (reply: HttpReply) => void;
  #stream: MessageStream | undefined;
  #over = false;
  #whenOver: (() => void) | undefined;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.reply = new Promise((resolve) => (this.#resolve = resolve));
  }

  respond(text: string, code?: number, retryAfterSeconds?: number): void {
    if (this.#stream) {
      this.#stream.message(text);
      this.#stream.end();
    } else {
      const headers = this.#options.headers?.();
      const retry = { ...headers, 'retry-after': String(retryAfterSeconds) };
      this.#resolve(
        retryAfterSeconds === undefined
          ? jsonReply(this.#options.statusOf(code), text, headers)
          : jsonReply(503, text, retry),
      );
    }
    this.#end();
  }

  notify(text: string): void {
    this.stream().message(text);
  }

  abandon(): void {
    this.stream().abandon();
    this.#end();
  }

  /** True once the last message has been sent. */
  get over(): boolean {
    return this.#over;
  }

  /** Calls `over` when the last message has been sent. */
  whenOver(over: () => void): void {
    this.#whenOver = over;
  }

  #end(): void {
    this.#over = true;
    this.#whenOver?.();
  }

  /** Makes the answer a stream, unless it is one already. */
  stream(): MessageStream {
    if (!this.#stream) {
      this.#stream = this.#options.open();
      this.#resolve(streamReply(this.#stream.events, this.#options.headers?.()));
    }
    return this.#stream;
  }

  get congested(): boolean {
    return this.#stream?.congested ?? false;
  }

  drained(): Promise<void> {
    return this.#stream?.drained() ?? Promise.resolve();
  }
}
