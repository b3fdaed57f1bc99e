import { readSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { failureOf } from '../engine/describe-error.ts';
import { Handle } from '../engine/connection.ts';
import { type Operations, runOperation, streams } from './operations.ts';
import { namesOf } from '../engine/schema.ts';
import type { Request } from '../worker-protocol.ts';

// The process in which SQL runs: a statement cannot be interrupted, but a process can be ended. It is asked one line
// at a time on stdin, and answers in that order on stdout; each line begins with what it is (see `wire.ts`).

const mode = process.argv[2] === 'write' ? 'write' : 'read';
const handles = new Map<string, Handle>();
const newline = 10;
/** How long requests that came together are read of one commit, in which others may have to wait to write. */
const longestHeldMs = 1;
/** Statements that may be over and still take memory. */
const mostUncollected = 128;
let collected = 0;

/**
 * While a statement runs nothing else does in this thread, so that another one waits for the end of the server, to end
 * the process with it.
 */
function endWithServer(): void {
  const wait = `require('node:fs').readSync(3, Buffer.alloc(1)); process.kill(process.pid, 'SIGKILL');`;
  const resourceLimits = { maxOldGenerationSizeMb: 8, stackSizeMb: 1 };
  // To pass on what a worker writes, Node would open this process's output itself, and writing would no longer wait.
  new Worker(wait, { eval: true, stdout: true, stderr: true, resourceLimits }).unref();
}

/** Answers to requests that came together leave together, up to a few: each write wakes the server. */
const mostUnsent = 8;
const mostUnsentLength = 8 * 1024;
const longestUnsentMs = 1;
let unsent = '';
let unsentCount = 0;
let flushed = 0;

function send(line: string): void {
  unsent += `${line}\n`;
  if (
    ++unsentCount >= mostUnsent ||
    unsent.length > mostUnsentLength ||
    performance.now() - flushed > longestUnsentMs
  ) {
    flush();
  }
}

function flush(): void {
  if (unsent === '') return;
  const bytes = Buffer.from(unsent);
  unsent = '';
  unsentCount = 0;
  flushed = performance.now();
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
  } catch {
    // Nobody is left to answer.
    process.exit();
  }
}

function answer(line: string): void {
  const { op, path, args } = JSON.parse(line) as Request;
  let handle = handles.get(path);
  if (!handle) handles.set(path, (handle = new Handle(path, mode)));
  try {
    if (op in streams) {
      const run = streams[op as keyof typeof streams] as (...parts: unknown[]) => string;
      let held: string | undefined;
      const text = run(handle, args, {
        piece(json: string) {
          if (held !== undefined) send(`r${held}`);
          held = json;
        },
        restart() {
          held = undefined;
          send('z');
        },
      });
      send(`=${JSON.stringify(text)}\t${held ?? ''}`);
    } else {
      const committing = () => {
        send('c');
        flush();
      };
      send(`=\t${JSON.stringify(runOperation(op as keyof Operations, handle, args, committing))}`);
    }
  } catch (error) {
    const failure = failureOf(error, namesOf(handle));
    // What is wrong with the file may be over by the next time.
    if (failure.code !== undefined && /NOTADB|CORRUPT|CANTOPEN|IOERR|READONLY/.test(failure.code))
      close(handle);
    send(`!${JSON.stringify(failure)}`);
  }
}

function close(handle: Handle): void {
  try {
    handle.close();
  } catch {
    // It could not be opened either.
  }
}

/** What came of a request whose end has not. */
let partial: Buffer[] = [];
const buffer = Buffer.alloc(64 * 1024);

/** Answers what has come, or waits for it; until the server closes the pipe. Between requests this costs nothing. */
function serve(): void {
  const length = readSync(0, buffer);
  if (length === 0) process.exit();
  const end = buffer.lastIndexOf(newline, length - 1);
  if (end !== -1) {
    const lines = Buffer.concat([...partial, buffer.subarray(0, end)]).toString();
    partial = [];
    answerAll(lines.split('\n'));
  }
  if (end + 1 < length) partial.push(Buffer.from(buffer.subarray(end + 1, length)));
  collect();
  // The loop has to turn: only then does the driver give back the memory of statements that nobody has any more.
  setImmediate(serve);
}

/** A statement is small to JavaScript, and may be large to SQLite: those that are over would pile up for long. */
function collect(): void {
  let prepared = 0;
  for (const handle of handles.values()) prepared += handle.prepared;
  if (prepared - collected < mostUncollected) return;
  collected = prepared;
  globalThis.gc?.({ type: 'minor' });
}

/** What came together is read of one commit, unless that would keep others from writing for long. */
function answerAll(lines: readonly string[]): void {
  let held = performance.now();
  for (const line of lines) {
    answer(line);
    if (performance.now() - held < longestHeldMs) continue;
    release();
    held = performance.now();
  }
  release();
  flush();
}

function release(): void {
  for (const handle of handles.values()) {
    try {
      handle.release();
    } catch {
      close(handle);
    }
  }
}

endWithServer();
send('+');
flush();
serve();
