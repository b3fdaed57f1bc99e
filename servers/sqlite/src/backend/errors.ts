/** What SQLite or the server says of something that cannot be done. */
export interface Failure {
  /** SQLite's own code, such as `SQLITE_BUSY`; missing where SQLite was not asked. */
  readonly code?: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Names that are like the one that does not exist. */
  readonly near?: readonly string[];
}

/** Something could not be done in a database. The message holds code, message, hint and near names. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(textOf(failure), options);
    this.failure = failure;
  }
}

/** A mistake of the caller that was found before SQLite saw it. */
export class Refused extends DatabaseError {
  constructor(message: string, hint?: string) {
    super({ message, ...(hint !== undefined && { hint }) });
  }
}

function textOf({ code, message, hint, near = [] }: Failure): string {
  return [
    code === undefined ? message : `${code}: ${message}`,
    ...(near.length > 0 ? [`Did you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?`] : []),
    ...(hint === undefined ? [] : [hint]),
  ].join('\n');
}

/** Whether something could not be done only now: somebody else has the database locked. */
export function isPassing(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED|INTERRUPT|READONLY_ROLLBACK)/.test(failureMessage(error));
}

export function failureMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
