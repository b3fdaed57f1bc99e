import { closeSync, constants, fstatSync, ftruncateSync, readFileSync, readSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf } from '@mcp/kit';
import { DatabaseError, Refused } from './errors.ts';
import { openRegularFile } from './regular-file.ts';

export interface Insight {
  readonly insight: string;
  /** When the insight was added, in ISO 8601. */
  readonly at: string;
}

const maxLineBytes = 64 * 1024;
/**
 * How many times to check whether the last line is complete, with a pause of a millisecond after each check.
 */
const maxReads = 5;
const maxReadLength = 4 * 1024 * 1024;

/**
 * Findings about the data that callers want to remember. Each is a line of JSON in a file beside its
 * database, and all processes share these files.
 */
export class Insights {
  readonly #databases: readonly string[];

  constructor(databases: readonly string[]) {
    this.#databases = databases;
  }

  /** The paths of the files, which may not exist yet. */
  get files(): readonly string[] {
    return this.#databases.map((path) => fileOf(path));
  }

  /** Adds an insight with a single write, so that the lines of several processes do not mix. */
  append(database: string, insight: string): Insight {
    if (insight.trim() === '') throw new Refused('insight is empty');
    const entry = { insight, at: new Date().toISOString() };
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    if (line.length > maxLineBytes)
      throw new Refused(`insight has ${line.length} bytes as JSON; the maximum is ${maxLineBytes}`);
    const file = openToAppend(fileOf(database));
    try {
      appendLine(file, line);
    } finally {
      closeSync(file);
    }
    return entry;
  }

  /** Returns all insights as JSON Lines. In each file, the oldest comes first. */
  read(): string {
    return this.#databases.map((path) => textOf(fileOf(path))).join('');
  }
}

function fileOf(database: string): string {
  return `${database}.insights.jsonl`;
}

function openToAppend(path: string): number {
  try {
    return openRegularFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o644);
  } catch (error) {
    const message = `Cannot write "${basename(path)}": ${messageOf(error)}`;
    const hint = 'Insights are stored in a file beside the database';
    throw new DatabaseError({ message, hint }, { cause: error });
  }
}

/** Appends a line with a single write. If the disk is full, throws, and removes the part that was written. */
function appendLine(file: number, line: Buffer): void {
  const bytes = endsWithNewline(file) ? line : Buffer.concat([newline, line]);
  const written = writeSync(file, bytes);
  if (written === bytes.length) return;
  const start = fstatSync(file).size - written;
  const end = Buffer.alloc(written);
  readSync(file, end, 0, written, start);
  // The partial line is cut off only if it is still the end of the file: another process may have appended a
  // line after it.
  if (end.equals(bytes.subarray(0, written))) ftruncateSync(file, start);
  throw new DatabaseError({
    code: 'SQLITE_FULL',
    message: 'The disk is full',
    hint: 'The insight was not stored',
  });
}

const newline = Buffer.from('\n');

/** Another process may be writing the last line, so the end is read repeatedly. */
function endsWithNewline(file: number): boolean {
  for (let reads = 0; reads < maxReads; reads++) {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    if (size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last.equals(newline))) return true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
  return false;
}

/** Returns the complete lines of a file; an empty text if the file cannot be read. */
function textOf(path: string): string {
  let file;
  try {
    file = openRegularFile(path);
  } catch {
    return '';
  }
  try {
    const text = readFileSync(file, 'utf8');
    // If the file is long, only its newest lines are returned.
    const from = text.length <= maxReadLength ? 0 : text.indexOf('\n', text.length - maxReadLength) + 1;
    return text
      .slice(from)
      .split('\n')
      .filter((line) => isJson(line))
      .map((line) => `${line}\n`)
      .join('');
  } finally {
    closeSync(file);
  }
}

/** Whether a line is complete JSON. A process that ended while writing leaves an incomplete line. */
function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
