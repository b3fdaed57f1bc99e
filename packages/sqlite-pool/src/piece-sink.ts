/** Receives a result in pieces. A producer should wait for the promise that `write` may return. */
export interface PieceSink<Piece = string, Wait = void> {
  write(piece: Piece): Wait;
  /** Discards all pieces so far, because the producer writes the result again from its beginning. */
  restart(): void;
}

/** What `write` returns in the server's process: a promise if the file or client is slow. */
export type Backpressure = Promise<unknown> | undefined;
