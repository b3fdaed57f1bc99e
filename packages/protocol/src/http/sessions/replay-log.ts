/** An event that was sent: the number of its stream, its position in that stream, and its message. */
interface Sent {
  readonly stream: number;
  readonly place: number;
  readonly text: string;
}

/** The newest events of one session, at most `maxLength` characters, for a client that reconnects. */
export class ReplayLog {
  readonly maxLength: number;
  readonly #events: Sent[] = [];
  #length = 0;

  constructor(maxLength: number) {
    this.maxLength = maxLength;
  }

  add(stream: number, place: number, text: string): void {
    this.#events.push({ stream, place, text });
    this.#length += text.length;
    let dropped = 0;
    while (this.#length > this.maxLength && dropped < this.#events.length - 1) {
      this.#length -= this.#events[dropped++]!.text.length;
    }
    if (dropped > 0) this.#events.splice(0, dropped);
  }

  /** The events of a stream after the position `place` that are still in the log. */
  after(stream: number, place: number): readonly Sent[] {
    return this.#events.filter((event) => event.stream === stream && event.place > place);
  }
}
