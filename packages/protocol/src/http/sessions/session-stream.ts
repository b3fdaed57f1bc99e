import { EventStream } from '../wire/event-stream.ts';
import type { MessageStream } from '../wire/reply-outlet.ts';
import type { ReplayLog } from './replay-log.ts';

/** One stream of a session, which may outlive the connection that carries it. */
export class SessionStream implements MessageStream {
  readonly number: number;
  /** The scopes that its messages require. */
  readonly requires: readonly string[];
  readonly #log: ReplayLog;
  readonly #idOf: (stream: number, place: number) => string;
  #place = 0;
  /** The characters of all messages since the connection's queue was last found empty; see `congested`. */
  #undelivered = 0;
  #ended = false;
  /** The connection that carries the stream. `#others` are older connections that are still open. */
  #carrier: EventStream | undefined;
  readonly #others: EventStream[] = [];
  readonly #waiting: (() => void)[] = [];

  /** @param idOf returns the id of an event, whose first argument is `number` */
  constructor(
    number: number,
    log: ReplayLog,
    requires: readonly string[],
    idOf: (stream: number, place: number) => string,
  ) {
    this.number = number;
    this.requires = requires;
    this.#log = log;
    this.#idOf = idOf;
  }

  /** True once the last message has been sent. */
  get ended(): boolean {
    return this.#ended;
  }

  get events(): EventStream {
    return this.#carrier ?? this.attach();
  }

  /**
   * Sends the stream over a new connection. When the new connection closes, the stream continues over the
   * newest older connection that is still open.
   */
  attach(): EventStream {
    const carrier = new EventStream();
    if (this.#carrier) this.#others.push(this.#carrier);
    this.#carrier = carrier;
    carrier.whenClosed(() => this.#detach(carrier));
    for (const resume of this.#waiting.splice(0)) resume();
    return carrier;
  }

  #detach(carrier: EventStream): void {
    const index = this.#others.indexOf(carrier);
    if (index !== -1) this.#others.splice(index, 1);
    if (this.#carrier === carrier) this.#carrier = this.#others.pop();
  }

  #closeConnections(): void {
    const open = [...this.#others.splice(0), this.#carrier];
    this.#carrier = undefined;
    for (const each of open) each?.end();
  }

  /** Resumes the stream after the event `place`; undefined if a missed event is no longer in the log. */
  resume(place: number): EventStream | undefined {
    const missed = this.#log.after(this.number, place);
    if (place + missed.length !== this.#place) return undefined;
    this.#closeConnections();
    const carrier = this.attach();
    for (const event of missed) carrier.send({ id: this.#id(event.place), data: event.text });
    if (this.#ended) carrier.end();
    return carrier;
  }

  /** Sends an event without data, whose id lets the client resume the stream from here. */
  prime(): void {
    this.#carrier?.send({ id: this.#id(this.#place), data: '' });
  }

  /** Closes the connection. The client is asked to reconnect for the later messages, after `retryMs` ms. */
  interrupt(retryMs: number): void {
    this.#carrier?.retry(retryMs);
    this.#carrier?.end();
  }

  message(text: string): void {
    if (this.#ended) return;
    this.#place++;
    if (this.#carrier?.queued === 0) this.#undelivered = 0;
    this.#undelivered += text.length;
    this.#log.add(this.number, this.#place, text);
    this.#carrier?.send({ id: this.#id(this.#place), data: text });
  }

  end(): void {
    this.#ended = true;
    this.#closeConnections();
  }

  abandon(): void {
    this.end();
  }

  get connected(): boolean {
    return this.#carrier !== undefined;
  }

  get congested(): boolean {
    // Notifications may fill half of the log: they must not evict answers, which get the other half.
    return this.#carrier?.congested || this.#undelivered > this.#log.maxLength / 2;
  }

  /** Resolves when the stream is not congested any more. Without a connection: when one opens. */
  drained(): Promise<void> {
    if (this.#carrier) return this.#carrier.drained();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #id(place: number): string {
    return this.#idOf(this.number, place);
  }
}
