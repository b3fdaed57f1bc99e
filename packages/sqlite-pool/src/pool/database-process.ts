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
 * The sizes are in MB: with a large young generation, V8 seldom copies rows that wait to be sent. The child
 * calls `gc`, which `--expose-gc` defines. V8 gets no helper threads, because they would compete with the
 * server for the processors.
 */
const flags = ['--min-semi-space-size=16', '--initial-heap-size=128', '--expose-gc', '--v8-pool-size=0'];
/** How much the nice value of a child exceeds that of this process. The result is limited to 19. */
const niceness = { normal: 2, low: 10 };
const maxNice = 19;

const newline = 10;

export interface ProcessEvents {
  /** Called when a job was answered, or when the process is ready for its first job. */
  onAnswer(process: DatabaseProcess): void;
  /** Called when the process has exited by itself. `jobs` are those that were not answered. */
  onExit(process: DatabaseProcess, jobs: readonly Job[], reason: string): void;
}

/** Returns the child's environment: only the time zone, for `localtime`, and the cache of compiled code. */
function environment(): NodeJS.ProcessEnv {
  const { TZ } = process.env;
  // Versions of Node before 22.8 do not have this function.
  const cache = module.getCompileCacheDir?.();
  return {
    ...(TZ !== undefined && { TZ }),
    // The variable needs the parent of this directory, which all versions of Node share.
    ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}

/** Starts a new process that rolls back an unfinished transaction, because this process is exiting. */
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
    // If no process can be started, the next program that writes to the database repairs it.
  }
}

/** A child process that runs SQL. `jobs` are the jobs that were sent to it and not answered yet, in order. */
export class DatabaseProcess {
  readonly jobs: Job[] = [];
  ready = false;
  readonly #child: ChildProcess | undefined;
  readonly #events: ProcessEvents;
  #unsent = '';
  /** The chunks of an answer line that has not arrived completely. */
  readonly #partial: Buffer[] = [];
  #ended = false;
  #isLowPriority = false;

  constructor(mode: 'read' | 'write', events: ProcessEvents) {
    this.#events = events;
    try {
      // The fourth pipe carries no data. Its end tells the child that this process has exited.
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
    // If no file descriptors are left for the pipes, the child has no streams, and emits `error` later.
    const { stdin, stdout, stdio } = this.#child;
    if (!stdin || !stdout) return;
    // The child gets a lower priority than the server, because the server has to answer pings in time.
    this.#setNice(niceness.normal);
    stdin.on('error', () => {});
    stdio[3]!.on('error', () => {});
    stdout.on('data', (chunk: Buffer) => this.#onData(chunk));
    this.unref();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get current(): Job | undefined {
    return this.jobs[0];
  }

  get isLowPriority(): boolean {
    return this.#isLowPriority;
  }

  send(job: Job): void {
    this.jobs.push(job);
    job.cpuMsWhenSlow = undefined;
    // Another process may have begun this job before and sent pieces of its result, which are now invalid.
    job.restart();
    if (this.jobs.length === 1) job.startedAt = performance.now();
    // All requests of one turn of the event loop are sent in a single write.
    if (this.#unsent === '') queueMicrotask(() => this.#flush());
    this.#unsent += job.line;
  }

  /** Kills the process. Returns its unanswered jobs, for which the caller is now responsible. */
  kill(): Job[] {
    this.#ended = true;
    this.#child?.kill('SIGKILL');
    return this.jobs.splice(0);
  }

  /** Kills the process. Answers that it has already written are still read, and then `onExit` is called. */
  killAndDrain(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Gives this process a lower priority than the other child processes. */
  lowerPriority(): void {
    if (this.#isLowPriority) return;
    this.#isLowPriority = true;
    this.#setNice(niceness.low);
  }

  /** Returns the resident memory in bytes; undefined on systems other than Linux. */
  memory(): number | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'latin1'))?.[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  /** Returns CPU time, and whether the process runs or waits for a processor; undefined except on Linux. */
  cpuTime(): { readonly ms: number; readonly running: boolean } | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      const [, rest = ''] = readFileSync(`/proc/${this.pid}/stat`, 'latin1').split(') ');
      const fields = rest.split(' ');
      // The kernel counts CPU time in hundredths of a second.
      return { ms: (Number(fields[11]) + Number(fields[12])) * 10, running: fields[0] === 'R' };
    } catch {
      return undefined;
    }
  }

  /**
   * Reads no answers until the promise settles. When the pipe of the child's stdout is full, the child has to
   * wait, too.
   */
  pauseUntil(drained: Promise<unknown>): void {
    const stdout = this.#child?.stdout;
    stdout?.pause();
    const resume = () => void stdout?.resume();
    drained.then(resume, resume);
  }

  /** Lets this process exit while the child still runs; see `ChildProcess.unref`. */
  unref(): void {
    this.#child?.unref();
    for (const pipe of this.#child?.stdio ?? []) (pipe as { unref?: () => void } | null)?.unref?.();
  }

  #setNice(added: number): void {
    if (this.pid === undefined) return;
    try {
      setPriority(this.pid, Math.min(getPriority() + added, maxNice));
    } catch {
      // The child has just exited, so its priority does not matter.
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
