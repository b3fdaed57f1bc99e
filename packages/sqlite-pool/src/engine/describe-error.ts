import { closestNames } from '@mcp/kit';
import { DatabaseError, type Failure } from '../errors.ts';
import type { schemaNames } from './schema/schema-names.ts';

type SchemaNames = ReturnType<typeof schemaNames>;

const interruptedWrite =
  'Another process was interrupted while writing, and the database is read-only here, so it cannot be repaired: open it once with a program that may write to it';

const hints: { readonly [code: string]: string } = {
  SQLITE_BUSY: 'Another process is writing to the database; try again',
  SQLITE_LOCKED: 'Another process is writing to the database; try again',
  SQLITE_NOTADB: 'The file is not an SQLite database, or it is encrypted',
  SQLITE_CORRUPT: 'The file is damaged; no rows are returned, because they may be wrong',
  SQLITE_CANTOPEN:
    'The file does not exist or is not readable, or SQLite cannot create the files that it needs in its directory',
  SQLITE_READONLY_DIRECTORY:
    'A WAL database needs its -wal and -shm files, which cannot be created in this directory: copy the database elsewhere',
  SQLITE_READONLY_CANTINIT:
    'A WAL database needs its -shm file, which cannot be created in this directory: copy the database elsewhere',
  SQLITE_READONLY_ROLLBACK: interruptedWrite,
  SQLITE_READONLY_RECOVERY: interruptedWrite,
  SQLITE_READONLY: 'The connection is read-only, or the file or its directory is not writable',
  SQLITE_TOOBIG: 'A value would exceed the length that SQLite allows; read part of it with substr()',
  SQLITE_NOMEM: 'The statement needs more memory than is available; request less at once',
  SQLITE_FULL: 'The disk is full; nothing was written',
  SQLITE_IOERR: 'The disk failed to read or to write; nothing was changed',
  SQLITE_AUTH: 'The statement calls a function that is not allowed',
};

/** Returns the error with the part of the work in which it occurred, such as `Row 2`, before its message. */
export function errorIn(part: string, error: unknown): DatabaseError {
  const failure = describeError(error);
  return new DatabaseError({ ...failure, message: `${part}: ${failure.message}` }, { cause: error });
}

/** Describes an error of the driver. Adds a hint and, if a name is unknown, the most similar names. */
export function describeError(error: unknown, names?: SchemaNames): Failure {
  if (error instanceof DatabaseError) return error.failure;
  if (!(error instanceof Error)) return { message: String(error) };
  const { message } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined || !code.startsWith('SQLITE')) return describeDriverError(message, code);
  // FTS5 reports syntax errors with SQLite's general error code, so only the message shows them.
  if (/^fts5: |unterminated string|unknown special query/.test(message)) {
    const hint = 'The full-text expression is invalid: put its terms into double quotes';
    return { code, message, reason: 'full-text', hint };
  }
  const hint = hints[code] ?? hints[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''];
  return { code, message, ...(hint !== undefined && { hint }), ...suggestions(message, names) };
}

function describeDriverError(message: string, code: string | undefined): Failure {
  if (/more than one statement/.test(message)) {
    return {
      message: 'sql contains more than one statement',
      hint: 'Send one statement at a time; none was run',
    };
  }
  if (/contains no statements/.test(message)) return { message: 'sql is empty' };
  return { message, ...(code !== undefined && { code }) };
}

function suggestions(message: string, names: SchemaNames | undefined): { near?: readonly string[] } {
  const [, kind, name = ''] =
    /^no such (table|column|view|index|trigger|function): (.+)$/.exec(message) ??
    /^table .+ has no (column) named (.+)$/.exec(message) ??
    [];
  if (!names || kind === undefined) return {};
  const bare = name.slice(name.lastIndexOf('.') + 1).replaceAll('"', '');
  try {
    const near = closestNames(bare, namesOf(kind, names));
    return near.length > 0 ? { near } : {};
  } catch {
    return {};
  }
}

function namesOf(kind: string, names: SchemaNames): readonly string[] {
  if (kind === 'column') return names.columns();
  if (kind === 'function') return names.functions();
  return kind === 'index' || kind === 'trigger' ? names.objects(kind) : names.tables();
}
