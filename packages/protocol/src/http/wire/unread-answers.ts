/**
 * While too many bytes are unread, clients that have read nothing for this many milliseconds are
 * disconnected.
 */
const deafMs = 2_000;

/** An answer that waits for its client to read it. */
export interface UnreadAnswer {
  /** The session or the connection of the answer. */
  readonly client: unknown;
  readonly bytes: () => number;
  readonly disconnect: () => void;
}

/** The answers that this process buffers because their clients do not read them. */
export class UnreadAnswers {
  /** The time at which each answer was last read from, the least recent first. */
  readonly #readAt = new Map<UnreadAnswer, number>();

  add(answer: UnreadAnswer): void {
    this.#readAt.set(answer, performance.now());
  }

  /** Called when the client has read a part of an answer. */
  read(answer: UnreadAnswer): void {
    if (this.#readAt.delete(answer)) this.add(answer);
  }

  delete(answer: UnreadAnswer): void {
    this.#readAt.delete(answer);
  }

  /** Whether a client has more than `maxBytes` unread bytes. */
  isOver(client: unknown, maxBytes: number): boolean {
    if (this.#readAt.size === 0) return false;
    return bytesOf([...this.#readAt.keys()].filter((answer) => answer.client === client)) > maxBytes;
  }

  /** Disconnects clients that do not read. Returns false if more than `maxBytes` are unread even then. */
  makeRoom(maxBytes: number): boolean {
    if (this.#readAt.size === 0) return true;
    let bytes = bytesOf(this.#readAt.keys());
    const latest = performance.now() - deafMs;
    for (const [answer, readAt] of this.#readAt) {
      if (bytes <= maxBytes || readAt > latest) break;
      bytes -= answer.bytes();
      this.#readAt.delete(answer);
      answer.disconnect();
    }
    return bytes <= maxBytes;
  }
}

function bytesOf(answers: Iterable<UnreadAnswer>): number {
  let bytes = 0;
  for (const answer of answers) bytes += answer.bytes();
  return bytes;
}

/** The options for the delivery of one answer. */
export interface Delivery {
  /** A client that reads nothing of its answer for this long is disconnected, in milliseconds. */
  readonly stalledMs: number;
  readonly unread: UnreadAnswers;
  /** The session or the connection of the answer. */
  readonly client: unknown;
}
