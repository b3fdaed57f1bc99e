import type { EventStream } from '../wire/event-stream.ts';
import type { HttpReply } from '../wire/http-message.ts';

/** One stream; `events` is undefined until it is open. */
interface Place {
  /** Whether the client may open the stream again at another process. */
  readonly moves: boolean;
  events?: EventStream;
}

/** The long-lived streams that clients listen on, at most `max` for all clients together. */
export class ListeningStreams {
  readonly #max: number;
  #count = 0;
  readonly #events = new WeakSet<EventStream>();
  /** The streams of each client, the oldest first. */
  readonly #places = new Map<string, Set<Place>>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Opens a stream for `client`; undefined if `max` is reached and no other stream can be ended. */
  async open(
    client: string,
    open: () => HttpReply | Promise<HttpReply>,
    moves = false,
  ): Promise<HttpReply | undefined> {
    if (this.#count >= this.#max && !this.#makeRoom(client)) return undefined;
    const place: Place = { moves };
    this.#enter(client, place);
    try {
      const reply = await open();
      if (typeof reply.body === 'object') {
        place.events = reply.body;
        this.#events.add(reply.body);
      }
      return reply;
    } finally {
      const leave = () => this.#leave(client, place);
      if (place.events) place.events.whenClosed(leave);
      else leave();
    }
  }

  /** The number of streams. */
  get count(): number {
    return this.#count;
  }

  /** Ends the streams that clients may open at another process, which they do after `retryMs`. */
  end(retryMs: number): void {
    const places = [...this.#places.values()].flatMap((each) => [...each]);
    for (const { moves, events } of places) {
      if (!moves) continue;
      events?.retry(retryMs);
      events?.end();
    }
  }

  /** Whether a client listens on this stream. */
  has(events: EventStream): boolean {
    return this.#events.has(events);
  }

  /**
   * Makes room for a new stream of `client`: ends the newest stream of the client with the most streams. Ends
   * none and returns false if that client would then have fewer streams than `client`.
   */
  #makeRoom(client: string): boolean {
    let most = (this.#places.get(client)?.size ?? 0) + 1;
    let found: string | undefined;
    for (const [other, { size }] of this.#places) {
      if (size <= most) continue;
      most = size;
      found = other;
    }
    if (found === undefined) return false;
    const newest = [...this.#places.get(found)!].findLast(({ events }) => events);
    if (!newest) return false;
    this.#leave(found, newest);
    newest.events?.end();
    return true;
  }

  #enter(client: string, place: Place): void {
    const places = this.#places.get(client) ?? new Set();
    this.#places.set(client, places.add(place));
    this.#count++;
  }

  #leave(client: string, place: Place): void {
    const places = this.#places.get(client);
    if (!places?.delete(place)) return;
    this.#count--;
    if (places.size === 0) this.#places.delete(client);
  }
}
