/** One line to a database process. */
export interface Request {
  readonly op: string;
  /** The database, by its absolute path. */
  readonly path: string;
  readonly args: unknown;
}

/**
 * What a line from a database process is, by its first character. A result is `=`, its text as JSON, a tab, and its
 * value as JSON or the last piece of it.
 */
export const lineKinds = {
  ready: '+',
  piece: 'r',
  restart: 'z',
  committing: 'c',
  result: '=',
  failure: '!',
} as const;
