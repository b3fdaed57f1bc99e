import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { messageOf } from '@mcp/kit';
import { DatabaseError } from '../errors.ts';
import { workerProgram } from '../worker-program.ts';
import { decodeReply } from '../worker-protocol.ts';
import type { Job } from './job.ts';

/**
 * Sizes are in MB: with a large young generation, rows are seldom copied while they wait to be sent. The
 * child requests garbage collections itself (`--expose-gc`), and V8 gets no helper threads, because these
 * would compete with the server.
 */
const flags = ['--min-semi-space-size=16', '--initial-heap-size=128', '--expose-gc', '--v8-pool-size=0'];
/** Added to the nice value of this process; their sum is at most 19. */
const niceness = { normal: 2, low: 10 };
const maxNice = 19;

const newline = 10;

export interface ProcessEvents {
  /** A job was answered, or the process is ready for its first job. */
  onAnswer(process: DatabaseProcess): void;
  /** The process exited by itself; these jobs have no answer. */
  onExit(process: DatabaseProcess, jobs: readonly Job[], reason: string): void;
}

/** The child needs the time zone, for `localtime`, and shares the cache of compiled code; nothing else. */
function environment(): NodeJS.ProcessEnv {
  const { TZ } = process.env;
  // Node has this function since version 22.8.
  const cache = module.getCompileCacheDir?.();
  return {
    ...(TZ !== undefined && { TZ }),
    // The function returns the directory of this version of Node; the variable names the one above, for all
    // versions.
    ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}

/** Rolls back an unfinished transaction in a new process, because this process is exiting. */
export function repairAfterExit(path: string): void {
  try {
    const child = spawn(process.execPath, [...workerProgram, 'repair', path], {
      stdio: 'ignore',
      env: environment(),
      detached: true,
      windowsHide: true,
    });
    child.on('error', () => {});
    child.unref();
  } catch {
    // The next program that writes to the database repairs it.
  }
}

/** A child process that runs SQL, and the jobs that were sent to it, in order. */
export class DatabaseProcess {
  readonly jobs: Job[] = [];
  ready = false;
  readonly #child: ChildProcess | undefined;
  readonly #events: ProcessEvents;
  #unsent = '';
  /** Chunks of an incomplete line. */
  readonly #partial: Buffer[] = [];
  #ended = false;
  #isLowPriority = false;

  constructor(mode: 'read' | 'write', events: ProcessEvents) {
    this.#events = events;
    try {
      // The child reads the fourth pipe only to notice its end, when this process exits.
      this.#child = spawn(process.execPath, [...flags, ...workerProgram, mode], {
        stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
        env: environment(),
        windowsHide: true,
      });
    } catch (error) {
      setImmediate(() => this.#onExit(messageOf(error)));
      return;
    }
    this.#child.on('error', (error) => this.#onExit(error.message));
    this.#child.on('close', (code, signal) => this.#onExit(signal ?? `code ${code}`));
    // If no file descriptors for pipes are left, the child has no streams, and the event `error` follows.
    const { stdin, stdout, stdio } = this.#child;
    if (!stdin || !stdout) return;
    // The child runs at a lower priority than the server, which has to answer pings.
    this.#setNice(niceness.normal);
    stdin.on('error', () => {});
    stdio[3]!.on('error', () => {});
    stdout.on('data', (chunk: Buffer) => this.#onData(chunk));
    this.unref();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The job that the process is working on. */
  get current(): Job | undefined {
    return this.jobs[0];
  }

  get isLowPriority(): boolean {
    return this.#isLowPriority;
  }

  send(job: Job): void {
    this.jobs.push(job);
    job.cpuMsWhenSlow = undefined;
    // Another process may have begun this job, and sent pieces of its result.
    job.restart();
    if (this.jobs.length === 1) job.startedAt = performance.now();
    // Requests that are sent in one turn of the event loop are written together.
    if (this.#unsent === '') queueMicrotask(() => this.#flush());
    this.#unsent += job.line;
  }

  /** Kills the process. Returns its jobs, which the caller has to answer. */
  kill(): Job[] {
    this.#ended = true;
    this.#child?.kill('SIGKILL');
    return this.jobs.splice(0);
  }

  /** Kills the process, but still reads the answers that it has written; `onExit` is called afterwards. */
  killAndDrain(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Gives the process a lower priority than other processes. */
  lowerPriority(): void {
    if (this.#isLowPriority) return;
    this.#isLowPriority = true;
    this.#setNice(niceness.low);
  }

  /** Resident memory in bytes; undefined except on Linux. */
  memory(): number | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'latin1'))?.[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  /** CPU time in milliseconds, and whether the process runs or waits for a processor; only on Linux. */
  cpuTime(): { readonly ms: number; readonly running: boolean } | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      const [, rest = ''] = readFileSync(`/proc/${this.pid}/stat`, 'latin1').split(') ');
      const fields = rest.split(' ');
      // The fields are in hundredths of a second.
      return { ms: (Number(fields[11]) + Number(fields[12])) * 10, running: fields[0] === 'R' };
    } catch {
      return undefined;
    }
  }

  /** Stops reading answers until the promise settles; when the pipe is full, the process has to wait too. */
  pauseUntil(drained: Promise<unknown>): void {
    const stdout = this.#child?.stdout;
    stdout?.pause();
    const resume = () => void stdout?.resume();
    drained.then(resume, resume);
  }

  /** Lets this process end although the child runs; see `ChildProcess.unref`. */
  unref(): void {
    this.#child?.unref();
    for (const pipe of this.#child?.stdio ?? []) (pipe as { unref?: () => void } | null)?.unref?.();
  }

  #setNice(added: number): void {
    if (this.pid === undefined) return;
    try {
      setPriority(this.pid, Math.min(getPriority() + added, maxNice));
    } catch {
      // The child has exited meanwhile.
    }
  }

  #flush(): void {
    const text = this.#unsent;
    this.#unsent = '';
    if (!this.#ended) this.#child?.stdin?.write(text);
  }

  #onData(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const part = chunk.subarray(start, end);
      const line = this.#partial.length === 0 ? part : Buffer.concat([...this.#partial.splice(0), part]);
      start = end + 1;
      if (!this.#ended) this.#onLine(line);
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start));
  }

  #onLine(line: Buffer): void {
    const reply = decodeReply(line);
    switch (reply.kind) {
      case 'ready':
        this.ready = true;
        this.#startTiming();
        return this.#events.onAnswer(this);
      case 'piece':
        return this.current?.addPiece(reply.json);
      case 'restart':
        return this.current?.restart();
      case 'committing':
        if (this.current) this.current.committing = true;
        return;
      default: {
        const job = this.jobs.shift();
        this.#startTiming();
        if (reply.kind === 'result') job?.succeed(reply.text, reply.json);
        else job?.fail(new DatabaseError(reply.failure));
        this.#events.onAnswer(this);
      }
    }
  }

  #startTiming(): void {
    if (this.current) this.current.startedAt = performance.now();
  }

  #onExit(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.onExit(this, this.jobs.splice(0), reason);
  }
}
