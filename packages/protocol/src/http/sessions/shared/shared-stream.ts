import { EventStream } from '../../wire/event-stream.ts';
import type { MessageStream } from '../../wire/reply-outlet.ts';
import type { StreamOpening } from './stream-opening.ts';
import type { Placed, StreamWriter } from '../../../state/stream-writer.ts';

type Stored = ConstructorParameters<typeof StreamWriter>[0];

interface SharedStreamOptions {
  readonly opening: StreamOpening;
  /** Whether the first event has no data, and only tells the client the place of the stream. */
  readonly primes: boolean;
  readonly idOf: (place: number) => string;
  /** Makes the writer of this stream. */
  readonly write: (stream: Pick<Stored, 'deliver' | 'ended'>) => StreamWriter;
}

/** The number of characters that may wait for the store, so that notifications wait too. */
const maxQueued = 1024 * 1024;

/** The stream of one request, which any process can resume, because its messages are stored. */
export class SharedStream implements MessageStream {
  readonly events = new EventStream();
  readonly #options: SharedStreamOptions;
  readonly #writer: StreamWriter;
  #ended = false;
  #isOpen = true;
  #isClosing = false;

  constructor(options: SharedStreamOptions) {
    this.#options = options;
    this.events.whenClosed(() => (this.#isOpen = false));
    this.#writer = options.write({
      deliver: (message) => this.#send(message),
      ended: () => this.events.end(),
    });
    this.#writer.add(JSON.stringify(options.opening));
  }

  /** True once the last message was given to this stream. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the connection of the request is still open. */
  get connected(): boolean {
    return this.#isOpen;
  }

  message(text: string): void {
    this.#writer.add(text);
  }

  end(): void {
    this.#ended = true;
    this.#writer.end();
  }

  /** Ends the stream: without an answer if the client has cancelled its request, with an error otherwise. */
  abandon(): void {
    if (this.#isClosing) this.message(this.#options.opening.failure);
    this.end();
  }

  /** Called before the session ends here, which may leave the request without an answer. */
  closing(): void {
    this.#isClosing = true;
  }

  /** Resolves when no message waits for the store. */
  flushed(): Promise<void> {
    return this.#writer.flushed();
  }

  /** Closes the connection. The client is asked to reconnect for the later messages, after `retryMs` ms. */
  interrupt(retryMs: number): void {
    this.events.retry(retryMs);
    this.events.end();
  }

  get congested(): boolean {
    return this.events.congested || this.#writer.queued > maxQueued;
  }

  async drained(): Promise<void> {
    await this.events.drained();
    if (this.#writer.queued > maxQueued) await this.#writer.flushed();
  }

  #send({ place, text }: Placed): void {
    const { idOf, primes } = this.#options;
    const isOpening = place === 1;
    if (isOpening ? primes : text !== '') this.events.send({ id: idOf(place), data: isOpening ? '' : text });
  }
}
