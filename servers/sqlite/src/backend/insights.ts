import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseError, Refused } from './errors.ts';

export interface Insight {
  readonly insight: string;
  /** ISO 8601. */
  readonly at: string;
}

const longest = 64 * 1024;
const mostRead = 4 * 1024 * 1024;

/** What was found out about databases: a file of JSON Lines beside each, which any number of processes share. */
export class Insights {
  readonly #databases: readonly string[];

  constructor(databases: readonly string[]) {
    this.#databases = databases;
  }

  /** The files that hold them, whether they are there yet or not. */
  get files(): readonly string[] {
    return this.#databases.map((path) => fileOf(path));
  }

  /** Adds one in a single write, so that lines of several processes do not mix. */
  append(database: string, insight: string): Insight {
    if (insight.trim() === '') throw new Refused('There is nothing in the insight');
    const entry = { insight, at: new Date().toISOString() };
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    if (line.length > longest) throw new Refused(`The insight is longer than ${longest} bytes`);
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

  /** All of them as text: JSON Lines, oldest first in each file. */
  read(): string {
    return this.#databases.map((path) => textOf(fileOf(path))).join('');
  }
}

function fileOf(database: string): string {
  return `${database}.insights.jsonl`;
}

// A link there may lead anywhere, and a pipe would wait for somebody to read.
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
        message: `Nothing can be written to "${basename(path)}": ${error instanceof Error ? error.message : String(error)}`,
        hint: 'Insights are kept in a file beside the database',
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
    // The newest are what matters where there are too many.
    return text.length <= mostRead ? text : text.slice(text.indexOf('\n', text.length - mostRead) + 1);
  } finally {
    closeSync(file);
  }
}
