/** Receives a result in pieces. A producer that can wait continues when the promise of `write` is settled. */
export interface PieceSink<Piece = string, Wait = void> {
  write(piece: Piece): Wait;
  /** Discards all pieces so far: the producer writes the result again from its beginning. */
  restart(): void;
}

/** What `write` returns in the server's process: a promise while writing to a file or a client is slow. */
export type Backpressure = Promise<unknown> | undefined;
