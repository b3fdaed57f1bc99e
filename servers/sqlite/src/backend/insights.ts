import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseError, failureMessage, Refused } from './errors.ts';

export interface Insight {
  readonly insight: string;
  /** ISO 8601. */
  readonly at: string;
}

const maxLineBytes = 64 * 1024;
const maxReadLength = 4 * 1024 * 1024;

/** Insights about databases: a file of JSON Lines beside each, shared by any number of processes. */
export class Insights {
  readonly #databases: readonly string[];

  constructor(databases: readonly string[]) {
    this.#databases = databases;
  }

  /** The files, which may not exist yet. */
  get files(): readonly string[] {
    return this.#databases.map((path) => fileOf(path));
  }

  /** Adds one in a single write, so that lines of several processes are not interleaved. */
  append(database: string, insight: string): Insight {
    if (insight.trim() === '') throw new Refused('insight is empty');
    const entry = { insight, at: new Date().toISOString() };
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    if (line.length > maxLineBytes)
      throw new Refused(`insight has ${line.length} bytes as JSON; the maximum is ${maxLineBytes}`);
    const file = openToAppend(fileOf(database));
    try {
      if (!fstatSync(file).isFile()) throw new Refused(`Not a regular file: "${fileOf(database)}"`);
      if (writeSync(file, line) !== line.length) {
        throw new DatabaseError({ code: 'SQLITE_FULL', message: 'The disk is full' });
      }
    } finally {
      closeSync(file);
    }
    return entry;
  }

  /** All of them as JSON Lines, oldest first in each file. */
  read(): string {
    return this.#databases.map((path) => textOf(fileOf(path))).join('');
  }
}

function fileOf(database: string): string {
  return `${database}.insights.jsonl`;
}

// A symlink may point anywhere, and opening a FIFO would block.
const flags =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

function openToAppend(path: string): number {
  try {
    return openSync(path, flags, 0o644);
  } catch (error) {
    throw new DatabaseError(
      {
        message: `Cannot write "${basename(path)}": ${failureMessage(error)}`,
        hint: 'Insights are stored in a file beside the database',
      },
      { cause: error },
    );
  }
}

function textOf(path: string): string {
  let file;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return '';
  }
  try {
    if (!fstatSync(file).isFile()) return '';
    const text = readFileSync(file, 'utf8');
    // The newest lines of a long file.
    return text.length <= maxReadLength
      ? text
      : text.slice(text.indexOf('\n', text.length - maxReadLength) + 1);
  } finally {
    closeSync(file);
  }
}
