/**
 * Receives a result in pieces. `Wait` is what `write` returns: a producer that can wait does so for a promise
 * before it writes more.
 */
export interface PieceSink<Piece = string, Wait = void> {
  write(piece: Piece): Wait;
  /** Discards every piece so far; the result begins again. */
  restart(): void;
}

/** The result of `write` in this process, where writing to a file or a client can be slow. */
export type Backpressure = Promise<unknown> | undefined;
