import { inNextTurn } from '../platform/in-next-turn.ts';
import type { Channel } from '../jsonrpc/channel.ts';

/** The maximum number of requests that are started in one turn of the event loop. */
const maxStartedPerTurn = 100;
/** Milliseconds after which reading goes on although too many requests run: a message may cancel one. */
const stuckAfterMs = 100;

/** Stops reading from a channel while too many of its requests are running. */
export class Backpressure {
  readonly #channel: Channel;
  readonly #maxRunning: number;
  #running = 0;
  #stuck = 0;
  #startedThisTurn = 0;
  #holding: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(channel: Channel, maxRunning: number) {
    this.#channel = channel;
    this.#maxRunning = maxRunning;
  }

  /** Must be called after every change of the number of running requests, with the new number. */
  update(running: number): void {
    const started = running > this.#running;
    this.#running = running;
    if (this.#ended) return;
    if (started) this.#countStarted();
    this.#stuck = Math.min(this.#stuck, running);
    if (running - this.#stuck >= this.#maxRunning) this.#hold();
    else if (this.#holding) this.#release();
  }

  // Starts many requests in batches: if the client does not read the answers to the first batch, the channel
  // stops reading before the next batch.
  #countStarted(): void {
    if (++this.#startedThisTurn === 1) inNextTurn(() => this.#nextTurn());
    if (this.#startedThisTurn === maxStartedPerTurn) this.#channel.hold(true);
  }

  #nextTurn(): void {
    const held = this.#startedThisTurn >= maxStartedPerTurn;
    this.#startedThisTurn = 0;
    if (held && !this.#holding && !this.#ended) this.#channel.hold(false);
  }

  #hold(): void {
    if (this.#holding) return;
    this.#channel.hold(true);
    this.#holding = setTimeout(() => {
      this.#stuck = this.#running;
      this.#release();
    }, stuckAfterMs);
  }

  #release(): void {
    clearTimeout(this.#holding);
    this.#holding = undefined;
    if (this.#startedThisTurn < maxStartedPerTurn) this.#channel.hold(false);
  }

  /** Stops reading permanently. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#holding);
    this.#channel.hold(true);
  }
}
