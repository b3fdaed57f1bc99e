import { messageOf } from '@mcp/kit';

/** A reason of failure about which a program can give its users a hint of its own. */
export type FailureReason =
  /** The kind of a statement that was refused: `reads` and `writes` where only the other is accepted. */
  | 'pragma'
  | 'explain'
  | 'attach'
  | 'transaction'
  | 'reads'
  | 'writes'
  /** Writing, or creating a database, is not allowed. */
  | 'read-only'
  | 'no-create'
  /** No table has this name, nor a similar one. */
  | 'unknown-table'
  | 'missing-database'
  /** One row exceeds the length of an answer, and the caller may ask for a longer one. */
  | 'long-row'
  | 'full-text'
  /** A timeout of a query, of an export or backup, or of another read. */
  | 'query-timeout'
  | 'file-timeout'
  | 'timeout';

/** Hints of a program, by the reasons of failures. */
export type Hints = { readonly [R in FailureReason]?: string };

/** Why an operation failed. */
export interface Failure {
  /** SQLite's result code, such as `SQLITE_BUSY`; missing for a refusal by this package. */
  readonly code?: string;
  readonly message: string;
  readonly reason?: FailureReason;
  /** What the caller can do about the failure. */
  readonly hint?: string;
  /** Names similar to an unknown name. */
  readonly near?: readonly string[];
}

/** A failed operation on a database. Its message contains all that `failure` has. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(textOf(failure), options);
    this.failure = failure;
  }
}

/** Invalid input that was refused before SQLite saw it. */
export class Refused extends DatabaseError {
  constructor(message: string, hint?: string, reason?: FailureReason) {
    super({ message, ...(hint !== undefined && { hint }), ...(reason && { reason }) });
  }
}

/** A message may quote SQL, a name or a path of any length. */
const maxMessageLength = 1_000;
/** A hint may list all columns of a table. */
const maxHintLength = 4_000;
const maxNameLength = 200;

/** The beginning of a text, short enough for a message. */
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

/** Whether the same operation may succeed later: the database was locked, or the machine busy. */
export function isTransient(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED|INTERRUPT|READONLY_ROLLBACK)/.test(messageOf(error));
}

/** Whether a process was killed while writing, so that only a connection that may write can open the file. */
export function needsRepair(error: unknown): boolean {
  return (
    error instanceof DatabaseError && /^SQLITE_READONLY_(?:ROLLBACK|RECOVERY)$/.test(error.failure.code ?? '')
  );
}
