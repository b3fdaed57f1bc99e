/** Receives a result in pieces. A producer should wait for the promise that `write` may return. */
export interface PieceSink<Piece = string, Wait = void> {
  write(piece: Piece): Wait;
  /** Discards all pieces so far, because the producer writes the result again from its beginning. */
  restart(): void;
}

/**
 * What `write` returns if the sink writes to a file or a client: undefined, or, while the file or client is
 * slow, a promise that settles when the next piece can be written.
 */
export type Backpressure = Promise<unknown> | undefined;
