import { DatabaseError, type Failure } from '../errors.ts';
import { nearest } from './closest-names.ts';

/** Names of a schema that a mistyped one may have meant. */
export interface Names {
  readonly tables: () => readonly string[];
  readonly columns: () => readonly string[];
}

const hints: { readonly [code: string]: string } = {
  SQLITE_BUSY: 'Another process is writing to the database; try again',
  SQLITE_LOCKED: 'Another process is writing to the database; try again',
  SQLITE_NOTADB: 'The file is no SQLite database, or it is encrypted; nothing in it can be read',
  SQLITE_CORRUPT: 'The file is damaged; what could still be read is left out, for it may be wrong',
  SQLITE_CANTOPEN: 'The file is not there or may not be read, or its directory may not be written to',
  SQLITE_READONLY_DIRECTORY:
    'A database in WAL mode needs its -wal and -shm files, and they cannot be made in this directory: copy it elsewhere',
  SQLITE_READONLY_CANTINIT:
    'A database in WAL mode needs its -shm file, and it cannot be made in this directory',
  SQLITE_READONLY_ROLLBACK:
    'Another process ended in the midst of writing; open the database for writing once, so that SQLite can repair it',
  SQLITE_READONLY_RECOVERY:
    'Another process ended in the midst of writing; open the database for writing once, so that SQLite can repair it',
  SQLITE_READONLY:
    'Nothing can be written here: the connection only reads, or the file or its directory may not be written to',
  SQLITE_TOOBIG: 'A value would be longer than SQLite allows; ask for part of it with substr()',
  SQLITE_NOMEM: 'The statement needs more memory than there is; ask for less at once',
  SQLITE_FULL: 'The disk is full; nothing was written',
  SQLITE_AUTH: 'This function is not available here',
};

/** What an error of the driver means, with a hint and the names nearest to one that does not exist. */
export function failureOf(error: unknown, names?: Names): Failure {
  if (error instanceof DatabaseError) return error.failure;
  if (!(error instanceof Error)) return { message: String(error) };
  const { message } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined || !code.startsWith('SQLITE')) return driverFailure(message, code);
  const hint = hintFor(code, message);
  return { code, message, ...(hint !== undefined && { hint }), ...nearNames(message, names) };
}

function hintFor(code: string, message: string): string | undefined {
  if (hints[code] !== undefined) return hints[code];
  // SQLite names functions of both kinds alike, and full-text syntax is a language of its own.
  if (/^fts5: |unterminated string|unknown special query/.test(message)) {
    return 'This is about full-text syntax: put terms into double quotes, or use the tool search';
  }
  const general = /^SQLITE_[A-Z]+/.exec(code)?.[0];
  return general === undefined ? undefined : hints[general];
}

function driverFailure(message: string, code: string | undefined): Failure {
  if (/more than one statement/.test(message)) {
    return { message: 'More than one statement', hint: 'Send them one at a time; none was run' };
  }
  if (/contains no statements/.test(message)) return { message: 'SQL is empty: there is no statement in it' };
  return { message, ...(code !== undefined && { code }) };
}

function nearNames(message: string, names: Names | undefined): { near?: readonly string[] } {
  const [, kind, name = ''] = /^no such (table|column|view): (.+)$/.exec(message) ?? [];
  if (!names || kind === undefined) return {};
  const bare = name.slice(name.lastIndexOf('.') + 1);
  try {
    const near = nearest(bare, kind === 'column' ? names.columns() : names.tables());
    return near.length > 0 ? { near } : {};
  } catch {
    return {};
  }
}
