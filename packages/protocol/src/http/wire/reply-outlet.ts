import type { Outlet } from '../../server/call/outlet.ts';
import type { EventStream } from './event-stream.ts';
import { type HttpReply, jsonReply, streamReply } from './http-message.ts';

/** A stream of messages, and the events that carry it at the moment. */
export interface MessageStream {
  readonly events: EventStream;
  message(text: string): void;
  /** The last message has been sent. */
  end(): void;
  readonly congested: boolean;
  drained(): Promise<void>;
}

interface ReplyOptions {
  open(): MessageStream;
  statusOf(code: number | undefined): number;
  /** Headers of the reply; for a response that failed, `code` says how. */
  headers(code: number | undefined): HttpReply['headers'];
}

/** The answer to one POST: one JSON object where that is all there is to say, a stream where there is more. */
export class ReplyOutlet implements Outlet {
  readonly shared = false;
  /** Resolves as soon as it is clear what kind of answer it is. */
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

  respond(text: string, code?: number): void {
    if (this.#stream) {
      this.#stream.message(text);
      this.#stream.end();
    } else {
      this.#resolve(jsonReply(this.#options.statusOf(code), text, this.#options.headers(code)));
    }
    this.#end();
  }

  notify(text: string): void {
    this.stream().message(text);
  }

  abandon(): void {
    this.stream().end();
    this.#end();
  }

  /** True once there is nothing more to say. */
  get over(): boolean {
    return this.#over;
  }

  /** Calls `over` when there is nothing more to say. */
  whenOver(over: () => void): void {
    this.#whenOver = over;
  }

  #end(): void {
    this.#over = true;
    this.#whenOver?.();
  }

  /** Makes the answer a stream, if it is not one yet. */
  stream(): MessageStream {
    if (!this.#stream) {
      this.#stream = this.#options.open();
      this.#resolve(streamReply(this.#stream.events, this.#options.headers(undefined)));
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
