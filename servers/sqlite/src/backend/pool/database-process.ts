import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseError, type Failure, failureMessage } from '../errors.ts';
import type { Job } from './job.ts';
import { lineKinds } from '../worker-protocol.ts';

/** Beside the program where it is bundled, and the source itself where it is not. */
const program =
  import.meta.dirname === undefined
    ? join(__dirname, 'database.cjs')
    : join(import.meta.dirname, '../worker/main.ts');

/**
 * Sizes in MB: rows of a large result are seldom moved about while they wait, and what is over is let go of when the child says
 * so. Without threads that help V8, nothing of it takes the processor of whoever answers pings.
 */
const flags = ['--min-semi-space-size=16', '--initial-heap-size=128', '--expose-gc', '--v8-pool-size=0'];

const newline = 10;

export interface ProcessEvents {
  /** A job has its answer, or the process can take its first. */
  free(process: DatabaseProcess): void;
  /** It has ended by itself; these jobs have no answer. */
  died(process: DatabaseProcess, jobs: readonly Job[], reason: string): void;
}

/** A child process in which SQL runs, and what it has been asked, in order. */
export class DatabaseProcess {
  readonly jobs: Job[] = [];
  ready = false;
  readonly #child: ChildProcess | undefined;
  readonly #events: ProcessEvents;
  #unsent = '';
  /** What has come of a line whose end has not. */
  readonly #partial: Buffer[] = [];
  #ended = false;
  #low = false;

  constructor(mode: 'read' | 'write', events: ProcessEvents) {
    this.#events = events;
    try {
      // The last pipe is only held: its end tells the child that this process is no more.
      this.#child = spawn(process.execPath, [...flags, program, mode], {
        stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
        env: {},
        windowsHide: true,
      });
    } catch (error) {
      setImmediate(() => this.#gone(failureMessage(error)));
      return;
    }
    this.#child.on('error', (error) => this.#gone(error.message));
    this.#child.on('close', (code, signal) => this.#gone(signal ?? `code ${code}`));
    // Where there are no pipes to be had, it has none.
    const { stdin, stdout, stdio } = this.#child;
    if (!stdin || !stdout) return;
    // Whoever answers pings comes before whoever computes, when both could go on.
    this.#stepBack(2);
    stdin.on('error', () => {});
    stdio[3]!.on('error', () => {});
    stdout.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.unref();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get head(): Job | undefined {
    return this.jobs[0];
  }

  get low(): boolean {
    return this.#low;
  }

  send(job: Job): void {
    this.jobs.push(job);
    job.seen = undefined;
    // Another process may have begun with it.
    job.restart();
    if (this.jobs.length === 1) job.begun = performance.now();
    // What is asked in one turn of the event loop leaves in one write.
    if (this.#unsent === '') queueMicrotask(() => this.#flush());
    this.#unsent += job.line;
  }

  /** Ends it at once; its jobs are the caller's now. */
  kill(): Job[] {
    this.#ended = true;
    this.#child?.kill('SIGKILL');
    return this.jobs.splice(0);
  }

  /** Ends it at once, and then hears what it has said by then: what it answered is answered, and then it `died`. */
  end(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Lets everything else go first. */
  yieldToOthers(): void {
    if (this.#low) return;
    this.#low = true;
    this.#stepBack(10);
  }

  /** Bytes that it holds now; undefined where the system does not tell without waiting. */
  memory(): number | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'latin1'))?.[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  /** Milliseconds that it has computed in all, and whether it would go on; undefined where the system does not tell. */
  computed(): { readonly ms: number; readonly running: boolean } | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      const [, rest = ''] = readFileSync(`/proc/${this.pid}/stat`, 'latin1').split(') ');
      const fields = rest.split(' ');
      // Counted in hundredths of a second.
      return { ms: (Number(fields[11]) + Number(fields[12])) * 10, running: fields[0] === 'R' };
    } catch {
      return undefined;
    }
  }

  /** Stops reading its answers until `drained`, so that it waits too. */
  pauseUntil(drained: Promise<unknown>): void {
    const stdout = this.#child?.stdout;
    stdout?.pause();
    const resume = () => void stdout?.resume();
    drained.then(resume, resume);
  }

  /** It keeps this process alive only while it has something to do. */
  ref(): void {
    this.#child?.ref();
  }

  unref(): void {
    this.#child?.unref();
    for (const pipe of this.#child?.stdio ?? []) (pipe as { unref?: () => void } | null)?.unref?.();
  }

  /** Makes it so much nicer than this process. */
  #stepBack(nicer: number): void {
    if (this.pid === undefined) return;
    try {
      setPriority(this.pid, Math.min(getPriority() + nicer, 19));
    } catch {
      // It has ended meanwhile.
    }
  }

  #flush(): void {
    const text = this.#unsent;
    this.#unsent = '';
    if (!this.#ended) this.#child?.stdin?.write(text);
  }

  #hear(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const part = chunk.subarray(start, end);
      const line = this.#partial.length === 0 ? part : Buffer.concat([...this.#partial.splice(0), part]);
      start = end + 1;
      if (!this.#ended) this.#take(line);
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start));
  }

  #take(line: Buffer): void {
    const kind = String.fromCharCode(line[0]!);
    if (kind === lineKinds.ready) {
      this.ready = true;
      if (this.head) this.head.begun = performance.now();
      return this.#events.free(this);
    }
    if (kind === lineKinds.piece) return this.head?.piece(line.subarray(1));
    if (kind === lineKinds.restart) return this.head?.restart();
    if (kind === lineKinds.committing) {
      if (this.head) this.head.committing = true;
      return;
    }
    const job = this.jobs.shift();
    if (this.head) this.head.begun = performance.now();
    if (kind === lineKinds.result) {
      const tab = line.indexOf('\t');
      job?.succeed(
        tab === 1 ? '' : (JSON.parse(line.toString('utf8', 1, tab)) as string),
        line.subarray(tab + 1),
      );
    } else {
      job?.fail(new DatabaseError(JSON.parse(line.toString('utf8', 1)) as Failure));
    }
    this.#events.free(this);
  }

  #gone(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.died(this, this.jobs.splice(0), reason);
  }
}
