import { readSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { backupDatabase } from '../engine/backup-database.ts';
import { Connection } from '../engine/connection.ts';
import { describeError } from '../engine/describe-error.ts';
import { mayBeReadFailure, readFailure } from '../engine/read-failure.ts';
import { schemaNames } from '../engine/schema/schema-names.ts';
import type { WriteEvents } from '../engine/writing/write-events.ts';
import { DatabaseError } from '../errors.ts';
import { type Beside, decodeRequest, encodeReply } from '../worker-protocol.ts';
import { runOperation } from './operations.ts';

// The program of the child processes. A running statement cannot be interrupted, but a process can be killed.
// The program answers requests in order, with blocking calls; see `worker-protocol.ts`. With the arguments
// `repair <path>`, it repairs a database after its server has exited.

const mode = process.argv[2] === 'write' ? 'write' : 'read';
const connections = new Map<string, Connection>();
const newline = 10;
/** Maximum number of open connections: there is one for each combination of databases that queries name. */
const maxConnections = 64;
/** For how many milliseconds requests share one snapshot. A snapshot may keep others from writing. */
const maxSnapshotMs = 1;
/**
 * After this number of prepared statements, a garbage collection is requested, because V8 does not see the
 * memory that SQLite uses for them, and would collect them late.
 */
const maxUncollected = 128;
/**
 * Each write to stdout wakes the server, so answers are collected, up to these limits, before they are
 * written.
 */
const maxUnsent = { answers: 8, length: 8 * 1024, ms: 1 };

/**
 * The hint for a failed write that SQLite reports as a damaged file. A read is tried again, to tell damage
 * from a failure of the disk; a write is not.
 */
const damagedOrUnread = 'The file is damaged, or the disk failed to read it; nothing was written';

/**
 * Starts a thread that kills this process when the server exits: a running statement blocks the main thread.
 */
function exitWithServer(): void {
  const wait = `require('node:fs').readSync(3, Buffer.alloc(1)); process.kill(process.pid, 'SIGKILL');`;
  const resourceLimits = { maxOldGenerationSizeMb: 8, stackSizeMb: 1 };
  // Without `stdout: true`, Node would open stdout for the thread, and writes of the main thread to it would
  // no longer block.
  new Worker(wait, { eval: true, stdout: true, stderr: true, resourceLimits }).unref();
}

let unsent = '';
let unsentCount = 0;
let flushedAt = 0;

function send(line: string): void {
  unsent += `${line}\n`;
  unsentCount++;
}

/** Whether the collected lines have to be written now. */
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
    // The server no longer reads this process's stdout, so nobody needs the answers.
    process.exit();
  }
}

/** Returns the connection to a database, with extensions, attached databases or files if requested. */
function connectionTo(path: string, beside?: Beside): Connection {
  const key = beside === undefined ? path : JSON.stringify([path, beside]);
  let connection = connections.get(key);
  if (connection) return connection;
  if (beside !== undefined && connections.size >= maxConnections) closeOldest();
  connections.set(key, (connection = new Connection(path, mode, beside)));
  return connection;
}

function closeOldest(): void {
  const [key, connection] = connections.entries().next().value!;
  close(connection);
  connections.delete(key);
}

const writeEvents: WriteEvents = {
  committing() {
    send(encodeReply.committing());
    flush();
  },
  progress: sendProgress,
};

function sendProgress(progress: unknown): void {
  send(encodeReply.piece(JSON.stringify(progress)));
  flush();
}

/** Answers a request. Returns a promise only if the operation is asynchronous. */
function answer(line: string): Promise<void> | undefined {
  const { op, path, beside, args } = decodeRequest(line);
  const connection = connectionTo(path, beside);
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

/** Runs an operation and sends its answer. The last piece is held back, to be sent with the result. */
function answerNow(op: string, connection: Connection, args: unknown): void {
  let held: string | undefined;
  const sink = {
    write(json: string) {
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
  };
  const result = runOperation(op, connection, args, { events: writeEvents, sink });
  if ('text' in result) send(encodeReply.result(result.text, held ?? ''));
  else send(encodeReply.result('', JSON.stringify(result.value)));
}

/**
 * Runs a read, and runs it again if the disk may have failed to read the file. SQLite can report such a
 * failure as a damaged file.
 */
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
    const target = args as Parameters<typeof backupDatabase>[1];
    const result = await backupDatabase(connection, target, sendProgress);
    send(encodeReply.result('', JSON.stringify(result)));
  } catch (error) {
    answerFailure(connection, error);
  }
}

function answerFailure(connection: Connection, error: unknown): void {
  const described = describeError(error, schemaNames(connection));
  const isUnsure = mode === 'write' && described.code === 'SQLITE_CORRUPT';
  const failure = isUnsure ? { ...described, hint: damagedOrUnread } : described;
  // The next request opens the file again, which may then be repaired or replaced.
  if (failure.code !== undefined && /NOTADB|CORRUPT|CANTOPEN|IOERR|READONLY/.test(failure.code))
    close(connection);
  send(encodeReply.failure(failure));
}

function close(connection: Connection): void {
  try {
    connection.close();
  } catch {
    // The connection is broken, and closing it can only fail in the same way.
  }
}

/** The chunks of a request that has not arrived completely. */
let partial: Buffer[] = [];
const buffer = Buffer.alloc(64 * 1024);

/** Waits for requests on stdin, and answers those that have arrived. Exits when the server closes stdin. */
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
  // The driver frees collected statements only in a turn of the event loop.
  setImmediate(serve);
}

let collected = 0;

/** V8 alone would collect statements late, because it sees only their small wrappers. */
function collectStatements(): void {
  let prepared = 0;
  for (const connection of connections.values()) prepared += connection.prepared;
  if (prepared - collected < maxUncollected) return;
  collected = prepared;
  globalThis.gc?.({ type: 'minor' });
}

/** Requests that arrived together share a snapshot for at most a millisecond. */
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
    // When a caller reads its answer, the snapshot must not lock anything any more.
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

/** Opens the database for writing, so that SQLite rolls back an unfinished transaction of another process. */
function repair(path: string): void {
  try {
    const database = new Connection(path, 'write').refresh();
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
    database.close();
  } catch {
    // The server has exited, so nobody can be told. The next process that writes to the database repairs it.
  }
}

if (process.argv[2] === 'repair') repair(process.argv[3]!);
else {
  exitWithServer();
  send(encodeReply.ready());
  flush();
  serve();
}
