import { EventStream } from '../wire/event-stream.ts';
import type { MessageStream } from '../wire/reply-outlet.ts';
import type { ReplayLog } from './replay-log.ts';

/** One stream of a conversation, which may outlive the connection that carries it. */
export class SessionStream implements MessageStream {
  readonly number: number;
  readonly #log: ReplayLog;
  #place = 0;
  #ended = false;
  #carrier: EventStream | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(number: number, log: ReplayLog) {
    this.number = number;
    this.#log = log;
  }

  /** True once the last message has been sent. */
  get ended(): boolean {
    return this.#ended;
  }

  get events(): EventStream {
    return this.#carrier ?? this.carry();
  }

  /** Carries the stream by a new connection from now on; the one before ends. */
  carry(): EventStream {
    const carrier = new EventStream();
    const before = this.#carrier;
    this.#carrier = carrier;
    before?.end();
    carrier.whenClosed(() => {
      if (this.#carrier === carrier) this.#carrier = undefined;
    });
    for (const resume of this.#waiting.splice(0)) resume();
    return carrier;
  }

  /** Carries the stream on from `place`, with what the client has missed; undefined where some of that is lost. */
  resume(place: number): EventStream | undefined {
    const missed = this.#log.after(this.number, place);
    if (place + missed.length !== this.#place) return undefined;
    const carrier = this.carry();
    for (const event of missed) carrier.send({ id: this.#id(event.place), data: event.text });
    if (this.#ended) carrier.end();
    return carrier;
  }

  /** Gives the client an event to come back to, before there is anything to say. */
  prime(): void {
    this.#carrier?.send({ id: this.#id(this.#place), data: '' });
  }

  /** Lets the connection go and asks the client to come back for the rest. */
  interrupt(retryMs: number): void {
    this.#carrier?.retry(retryMs);
    this.#carrier?.end();
  }

  message(text: string): void {
    if (this.#ended) return;
    this.#place++;
    this.#log.add(this.number, this.#place, text);
    this.#carrier?.send({ id: this.#id(this.#place), data: text });
  }

  end(): void {
    this.#ended = true;
    this.#carrier?.end();
  }

  get connected(): boolean {
    return this.#carrier !== undefined;
  }

  get congested(): boolean {
    return this.#carrier?.congested ?? false;
  }

  /** Resolves when there is room, or a new connection. */
  drained(): Promise<void> {
    if (this.#carrier) return this.#carrier.drained();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #id(place: number): string {
    return `${this.number}-${place}`;
  }
}

/** The stream and the place that an event id names. */
export function parseEventId(id: string): { readonly stream: number; readonly place: number } | undefined {
  const [, stream, place] = /^(0|[1-9]\d{0,8})-(0|[1-9]\d{0,8})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { stream: Number(stream), place: Number(place) };
}
