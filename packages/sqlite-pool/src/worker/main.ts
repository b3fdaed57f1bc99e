import { readSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { backupDatabase } from '../engine/backup-database.ts';
import { Connection } from '../engine/connection.ts';
import { describeError } from '../engine/describe-error.ts';
import { mayBeReadFailure, readFailure } from '../engine/read-failure.ts';
import { schemaNames } from '../engine/schema/schema-names.ts';
import type { WriteEvents } from '../engine/writing/write-events.ts';
import { DatabaseError } from '../errors.ts';
import { decodeRequest, encodeReply } from '../worker-protocol.ts';
import { isStream, runOperation, runStream } from './operations.ts';

// The process that runs SQL. A statement cannot be interrupted, but a process can be killed.
// It reads requests from stdin and answers them in order on stdout, both with blocking calls; see
// `worker-protocol.ts`. With the arguments `repair <path>` it repairs a database after its server has exited.

const mode = process.argv[2] === 'write' ? 'write' : 'read';
const connections = new Map<string, Connection>();
const newline = 10;
/** How long requests that arrived together are read from one snapshot, which may keep others from writing. */
const maxSnapshotMs = 1;
/** Finished statements whose memory has not been collected. */
const maxUncollected = 128;
/**
 * Answers to requests that arrived together are written together, up to these limits:
 * each write wakes the server.
 */
const maxUnsent = { answers: 8, length: 8 * 1024, ms: 1 };

/** Only a second run would distinguish these, and a write is not run again. */
const damagedOrUnread = 'The file is damaged, or the disk failed to read it; nothing was written';

/** A second thread kills this process when the server exits: a running statement blocks the first one. */
function exitWithServer(): void {
  const wait = `require('node:fs').readSync(3, Buffer.alloc(1)); process.kill(process.pid, 'SIGKILL');`;
  const resourceLimits = { maxOldGenerationSizeMb: 8, stackSizeMb: 1 };
  // With its own stdout, the worker does not make Node open this process's, whose writes
  // would not block any more.
  new Worker(wait, { eval: true, stdout: true, stderr: true, resourceLimits }).unref();
}

let unsent = '';
let unsentCount = 0;
let flushedAt = 0;

function send(line: string): void {
  unsent += `${line}\n`;
  unsentCount++;
}

/** Whether lines have waited long enough for others. */
function isFlushDue(): boolean {
  return (
    unsentCount >= maxUnsent.answers ||
    unsent.length > maxUnsent.length ||
    performance.now() - flushedAt > maxUnsent.ms
  );
}

function flush(): void {
  if (unsent === '') return;
  const bytes = Buffer.from(unsent);
  unsent = '';
  unsentCount = 0;
  flushedAt = performance.now();
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
  } catch {
    // The server has closed the pipe.
    process.exit();
  }
}

function connectionTo(path: string): Connection {
  let connection = connections.get(path);
  if (!connection) connections.set(path, (connection = new Connection(path, mode)));
  return connection;
}

const writeEvents: WriteEvents = {
  committing() {
    send(encodeReply.committing());
    flush();
  },
  progress(progress) {
    send(encodeReply.piece(JSON.stringify(progress)));
    flush();
  },
};

/** Returns a promise only for an operation that answers later. */
function answer(line: string): Promise<void> | undefined {
  const { op, path, args } = decodeRequest(line);
  const connection = connectionTo(path);
  try {
    if (op === 'backup') return answerLater(connection, args);
    const run = () => answerNow(op, connection, args);
    if (mode === 'read') readAgain(connection, run);
    else run();
  } catch (error) {
    answerFailure(connection, error);
  }
  return undefined;
}

function answerNow(op: string, connection: Connection, args: unknown): void {
  if (isStream(op)) answerStream(op, connection, args);
  else send(encodeReply.result('', JSON.stringify(runOperation(op, connection, args, writeEvents))));
}

/** Runs a read once more where the disk may have failed, which SQLite reports as damage of the file. */
function readAgain(connection: Connection, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!mayBeReadFailure(describeError(error))) throw error;
    close(connection);
    send(encodeReply.restart());
    try {
      run();
    } catch (again) {
      const failure = describeError(again);
      if (!mayBeReadFailure(failure)) throw again;
      close(connection);
      throw new DatabaseError(readFailure(connection.path, failure), { cause: again });
    }
  }
}

async function answerLater(connection: Connection, args: unknown): Promise<void> {
  try {
    const result = await backupDatabase(
      connection,
      args as Parameters<typeof backupDatabase>[1],
      (progress) => {
        send(encodeReply.piece(JSON.stringify(progress)));
        flush();
      },
    );
    send(encodeReply.result('', JSON.stringify(result)));
  } catch (error) {
    answerFailure(connection, error);
  }
}

function answerFailure(connection: Connection, error: unknown): void {
  const described = describeError(error, schemaNames(connection));
  const isUnsure = mode === 'write' && described.code === 'SQLITE_CORRUPT';
  const failure = isUnsure ? { ...described, hint: damagedOrUnread } : described;
  // The file may be repaired or replaced by the next request.
  if (failure.code !== undefined && /NOTADB|CORRUPT|CANTOPEN|IOERR|READONLY/.test(failure.code))
    close(connection);
  send(encodeReply.failure(failure));
}

/** Each piece is sent after the next was read, since the last one belongs to the result. */
function answerStream(op: Parameters<typeof runStream>[0], connection: Connection, args: unknown): void {
  let held: string | undefined;
  const text = runStream(op, connection, args, {
    write(json) {
      if (held !== undefined) {
        send(encodeReply.piece(held));
        if (isFlushDue()) flush();
      }
      held = json;
    },
    restart() {
      held = undefined;
      send(encodeReply.restart());
    },
  });
  send(encodeReply.result(text, held ?? ''));
}

function close(connection: Connection): void {
  try {
    connection.close();
  } catch {
    // It could not be opened either.
  }
}

/** Chunks of a request whose end has not arrived. */
let partial: Buffer[] = [];
const buffer = Buffer.alloc(64 * 1024);

/** Answers the requests that have arrived, or waits for one; exits when the server closes the pipe. */
function serve(): void {
  const length = readSync(0, buffer);
  if (length === 0) process.exit();
  const end = buffer.lastIndexOf(newline, length - 1);
  if (end !== -1) {
    const lines = Buffer.concat([...partial, buffer.subarray(0, end)]).toString();
    partial = [];
    if (end + 1 < length) partial.push(Buffer.from(buffer.subarray(end + 1, length)));
    const later = answerAll(lines.split('\n'));
    if (later) return void later.then(serveNext);
  } else partial.push(Buffer.from(buffer.subarray(0, length)));
  serveNext();
}

function serveNext(): void {
  collectStatements();
  // Only a turn of the event loop makes the driver finalize collected statements.
  setImmediate(serve);
}

let collected = 0;

/**
 * Requests a collection after every few statements: V8 sees only their small wrappers,
 * and would collect late.
 */
function collectStatements(): void {
  let prepared = 0;
  for (const connection of connections.values()) prepared += connection.prepared;
  if (prepared - collected < maxUncollected) return;
  collected = prepared;
  globalThis.gc?.({ type: 'minor' });
}

/**
 * Reads requests that arrived together from one snapshot, for a millisecond at most. Returns a promise only
 * where one of them is answered later.
 */
function answerAll(lines: readonly string[]): Promise<void> | undefined {
  let since = performance.now();
  for (let index = 0; index < lines.length; index++) {
    const later = answer(lines[index]!);
    if (later) {
      flush();
      return later.then(() => answerAll(lines.slice(index + 1)));
    }
    const isDue = isFlushDue();
    if (!isDue && performance.now() - since < maxSnapshotMs) continue;
    // An answer leaves only when its locks are released.
    endSnapshots();
    since = performance.now();
    if (isDue) flush();
  }
  endSnapshots();
  flush();
  return undefined;
}

function endSnapshots(): void {
  for (const connection of connections.values()) {
    try {
      connection.endSnapshot();
    } catch {
      close(connection);
    }
  }
}

/** Waits for the end of another writer, so that SQLite rolls back its unfinished transaction. */
function repair(path: string): void {
  try {
    const database = new Connection(path, 'write').refresh();
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
    database.close();
  } catch {
    // No server is left that could be told; the next writer tries again.
  }
}

if (process.argv[2] === 'repair') repair(process.argv[3]!);
else {
  exitWithServer();
  send(encodeReply.ready());
  flush();
  serve();
}
