import { messageOf } from '@mcp/kit';

/** A reason for a failure. A program can give its users a hint of its own for each reason. */
export type FailureReason =
  /**
   * The kind of statement that is refused: `reads` is a statement that reads where a write is expected, and
   * `writes` is one that writes where a read is expected.
   */
  | 'pragma'
  | 'explain'
  | 'attach'
  | 'transaction'
  | 'reads'
  | 'writes'
  /** Refused because writing, or creating a database, is not allowed. */
  | 'read-only'
  | 'no-create'
  /** No table has this name or a similar name. */
  | 'unknown-table'
  | 'missing-database'
  /** One row is longer than the answer may be, and the caller may ask for a longer answer. */
  | 'long-row'
  | 'full-text'
  /** A timeout: of a query, of an export or backup, or of another read. */
  | 'query-timeout'
  | 'file-timeout'
  | 'timeout';

/** A program's hints for its users, keyed by the reason of a failure. */
export type Hints = { readonly [R in FailureReason]?: string };

export interface Failure {
  /** SQLite's result code, such as `SQLITE_BUSY`; missing if this package itself refused the operation. */
  readonly code?: string;
  readonly message: string;
  readonly reason?: FailureReason;
  /** What the caller can do about the failure. */
  readonly hint?: string;
  /** Existing names that are similar to an unknown name. */
  readonly near?: readonly string[];
}

/** A failed operation on a database. Its message contains all parts of `failure`. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(textOf(failure), options);
    this.failure = failure;
  }
}

/**
 * An operation that this package itself refuses, such as one with invalid input. It has no result code of
 * SQLite.
 */
export class Refused extends DatabaseError {
  constructor(message: string, hint?: string, reason?: FailureReason) {
    super({ message, ...(hint !== undefined && { hint }), ...(reason && { reason }) });
  }
}

/** Maximum number of characters of a message, because it may quote SQL, a name or a path of any length. */
const maxMessageLength = 1_000;
/** Maximum number of characters of a hint. It is high, because a hint may list all columns of a table. */
const maxHintLength = 4_000;
const maxNameLength = 200;

/** Returns the beginning of a text, by default as much as a message may have. */
export function beginningOf(text: string, length = maxMessageLength): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

function textOf({ code, message, hint, near = [] }: Failure): string {
  const short = beginningOf(message);
  return [
    code === undefined ? short : `${code}: ${short}`,
    ...(near.length > 0
      ? [`Did you mean ${near.map((name) => JSON.stringify(beginningOf(name, maxNameLength))).join(' or ')}?`]
      : []),
    ...(hint === undefined ? [] : [beginningOf(hint, maxHintLength)]),
  ].join('\n');
}

/** Whether the same operation may succeed later, because the database was locked or the machine was busy. */
export function isTransient(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED|INTERRUPT|READONLY_ROLLBACK)/.test(messageOf(error));
}

/** Whether a writing process was killed, so that only a connection that may write can open the file. */
export function needsRepair(error: unknown): boolean {
  return (
    error instanceof DatabaseError && /^SQLITE_READONLY_(?:ROLLBACK|RECOVERY)$/.test(error.failure.code ?? '')
  );
}
