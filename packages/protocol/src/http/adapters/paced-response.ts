import type { ServerResponse } from 'node:http';
import type { Delivery, UnreadAnswer } from '../wire/unread-answers.ts';

/** The source of a response's text: how many of its characters are queued, and how to make it continue. */
interface Source {
  readonly queued: number;
  resume(): void;
}

/**
 * The number of bytes per slice. A longer text is written slice by slice, each after Node has sent the slice
 * before, so that a client that stops reading is noticed.
 */
const sliceLength = 256 * 1024;
const nothing = new Uint8Array();

/** A response that is counted among the unread answers as long as its client does not read it. */
export class PacedResponse {
  readonly #response: ServerResponse;
  readonly #delivery: Delivery;
  readonly #source: Source | undefined;
  #rest: Uint8Array = nothing;
  #isEnding = false;
  #waiting: UnreadAnswer | undefined;
  #hasCloseListener = false;

  constructor(response: ServerResponse, delivery: Delivery, source?: Source) {
    this.#response = response;
    this.#delivery = delivery;
    this.#source = source;
    if (source) this.#follow();
  }

  /** Calls `closed` when the response has been delivered, has failed, or its client has disconnected. */
  whenClosed(closed: () => void): void {
    this.#response.on('close', closed);
    this.#response.on('error', closed);
  }

  /** Writes text; returns false if the source should send no more text until its `resume` is called. */
  write(text: string): boolean {
    let room: boolean;
    if (text.length > sliceLength) {
      this.#rest = Buffer.from(text);
      room = this.#writeRest();
    } else {
      room = this.#response.write(text);
    }
    if (!room) this.#wait();
    return room;
  }

  /** Sends `text`, if it is given, and ends the response after all text. */
  end(text?: string): void {
    const response = this.#response;
    if (text !== undefined && text.length > sliceLength) {
      if (!this.#source) this.#follow();
      this.write(text);
    } else if (text !== undefined) {
      response.end(text);
      if (response.writableLength > 0) this.#wait();
      return;
    }
    this.#isEnding = this.#rest.length > 0;
    if (this.#isEnding) return;
    response.end();
    if (response.writableLength > 0) this.#wait();
  }

  #follow(): void {
    this.#response.on('drain', () => this.#drained());
  }

  #writeRest(): boolean {
    while (this.#rest.length > 0) {
      const slice = this.#rest.subarray(0, sliceLength);
      this.#rest = this.#rest.subarray(sliceLength);
      if (!this.#response.write(slice)) return false;
    }
    return true;
  }

  #drained(): void {
    if (this.#waiting) this.#delivery.unread.read(this.#waiting);
    this.#response.setTimeout(this.#delivery.stalledMs);
    if (!this.#writeRest()) return;
    this.#response.setTimeout(0);
    this.#stopWaiting();
    if (this.#isEnding) this.end();
    else this.#source?.resume();
  }

  #wait(): void {
    const response = this.#response;
    response.setTimeout(this.#delivery.stalledMs);
    if (this.#waiting) return;
    const { unread, client } = this.#delivery;
    this.#waiting = {
      client,
      bytes: () => response.writableLength + this.#rest.length + (this.#source?.queued ?? 0),
      disconnect: () => response.destroy(),
    };
    unread.add(this.#waiting);
    if (this.#hasCloseListener) return;
    this.#hasCloseListener = true;
    response.once('close', () => this.#stopWaiting());
  }

  #stopWaiting(): void {
    if (this.#waiting) this.#delivery.unread.delete(this.#waiting);
    this.#waiting = undefined;
  }
}
