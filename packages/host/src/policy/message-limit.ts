/** Counts what a server sends to a client during a call, besides the result. */
export class MessageLimit {
  #bytesLeft: number;

  constructor(maxBytes: number) {
    this.#bytesLeft = maxBytes;
  }

  /** Whether the client may get this text or notification. After the first that is too much, none may. */
  admits(message: unknown): boolean {
    this.#bytesLeft -= Buffer.byteLength(JSON.stringify(message));
    return this.#bytesLeft >= 0;
  }
}
