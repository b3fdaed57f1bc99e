import { availableParallelism } from 'node:os';
import type { Backpressure, PieceSink } from '../piece-sink.ts';
import type { Request } from '../worker-protocol.ts';
import { DatabaseProcess } from './database-process.ts';
import { Job, type JobLimits, type JobResult } from './job.ts';
import { expiryReason, outOfMemory, processExited, closed } from './query-errors.ts';
import { ReaderQueue } from './reader-queue.ts';

export interface JobOptions extends JobLimits {
  /**
   * Receives the pieces of the result; without a sink, they are collected. If `write` rejects, the job fails.
   */
  readonly sink?: PieceSink<string, Backpressure> | undefined;
  /**
   * Whether the job is known to take long. It then waits for a process of its own. Without this, a job that
   * proves to be long may be stopped, and begun again in another process.
   */
  readonly long?: boolean | undefined;
}

const processors = availableParallelism();

/** After this number of milliseconds, a long job gets its own process, so that others need not wait. */
const slowAfterMs = 25;
/**
 * Only a job that has used this many milliseconds of CPU time counts as long, because on a busy machine cheap
 * jobs take long, too.
 */
const longCpuMs = 20;
/**
 * After this many milliseconds, the process of a long job gets a lower priority; without this delay if other
 * long jobs run or wait. Such a process is killed after the job, because a process cannot raise its priority
 * again.
 */
const lowPriorityAfterMs = 500;
const tickMs = 10;
/** Maximum number of unanswered jobs that one process has. */
const maxInFlight = 64;
/** Maximum number of long jobs that run at the same time. */
const maxLong = Math.min(4, Math.max(2, processors));
/** How many processes are kept in reserve: `idle` while no long job runs, `busy` while one does. */
const spares = { idle: 1, busy: 2 };
/** How many milliseconds to wait for the next start after a process could not be started. */
const restartDelayMs = 1_000;

/**
 * Runs reads in child processes. New jobs are sent to the active process, which answers them one after the
 * other. A long job that is alone in its process stays there, and another process becomes active. If others
 * wait behind it, the process is killed, and all its jobs run again from the beginning, one at a time, in a
 * separate process. A process is also killed if its job is cancelled, or exceeds its deadline or the memory
 * limit.
 */
export class ReaderPool {
  readonly #maxMemory: number;
  readonly #queue = new ReaderQueue();
  /** The process that gets new jobs. */
  #active: DatabaseProcess | undefined;
  /** The process in which jobs of killed processes run again, one at a time. */
  #probation: DatabaseProcess | undefined;
  /** The processes that run long jobs. Each runs one job. */
  readonly #long = new Set<DatabaseProcess>();
  readonly #idle: DatabaseProcess[] = [];
  #startAfter = 0;
  #ticker: NodeJS.Timeout | undefined;
  #ticks = 0;
  #closed = false;

  /** `maxMemory` is the maximum memory of one process in bytes. */
  constructor({ maxMemory }: { readonly maxMemory: number }) {
    this.#maxMemory = maxMemory;
  }

  /** Starts a process in advance, so that the first job does not wait for it. */
  warm(): void {
    if (!this.#active && !this.#closed) this.#active = this.#take();
  }

  run(request: Request, options: JobOptions): Promise<JobResult> {
    const { sink, long } = options;
    const pieces = sink && {
      write: (json: string) => this.#pauseFor(job, sink.write(json)),
      restart: () => sink.restart(),
    };
    const job: Job = new Job(request, options, pieces);
    if (long === true) this.#queue.long.push(job);
    else this.#queue.incoming.push(job);
    this.#dispatch();
    this.#ticker ??= setInterval(() => this.#tick(), tickMs);
    return job.promise;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#ticker);
    const error = closed();
    for (const job of this.#queue.clear()) job.fail(error);
    for (const process of this.#processes()) for (const job of process.kill()) job.fail(error);
    this.#active = this.#probation = undefined;
    this.#long.clear();
    this.#idle.length = 0;
  }

  #processes(): DatabaseProcess[] {
    return [...this.#working(), ...this.#idle];
  }

  #working(): DatabaseProcess[] {
    return [this.#active, this.#probation, ...this.#long].filter((each) => each !== undefined);
  }

  /** Whether all spare processes have finished starting. */
  get #sparesAreReady(): boolean {
    return this.#idle.every(({ ready }) => ready);
  }

  /** Whether a long job competes with other long jobs or with retries. */
  get #isCrowded(): boolean {
    return this.#long.size > 1 || this.#queue.retries.length > 0 || this.#queue.long.length > 0;
  }

  #take(): DatabaseProcess {
    return this.#idle.pop() ?? this.#start();
  }

  #start(): DatabaseProcess {
    return new DatabaseProcess('read', {
      onAnswer: (process) => this.#onAnswer(process),
      onExit: (process, jobs, reason) => this.#onExit(process, jobs, reason),
    });
  }

  #dispatch(): void {
    if (this.#closed) return;
    const { incoming, long } = this.#queue;
    if (incoming.length > 0) {
      this.#active ??= this.#take();
      while (incoming.length > 0 && this.#active.jobs.length < maxInFlight)
        this.#active.send(incoming.shift()!);
    }
    // A retried job may be long, too. So it is sent only if a spare process could replace its process.
    const canRetry = (!this.#probation || this.#probation.jobs.length === 0) && this.#sparesAreReady;
    const retried = canRetry ? this.#queue.nextRetry() : undefined;
    if (retried) {
      this.#probation ??= this.#take();
      this.#probation.send(retried);
    }
    while (long.length > 0 && this.#long.size < maxLong) {
      const process = this.#take();
      this.#long.add(process);
      process.send(long.shift()!);
    }
    if (this.#active && this.#active.jobs.length > 0) this.#keepSpares();
  }

  /** Starts spare processes one at a time, because a start blocks this thread and needs much CPU time. */
  #keepSpares(): void {
    const wanted = this.#long.size > 0 ? spares.busy : spares.idle;
    if (this.#idle.length >= wanted || !this.#sparesAreReady || performance.now() < this.#startAfter) return;
    this.#idle.unshift(this.#start());
  }

  #onAnswer(process: DatabaseProcess): void {
    if (process === this.#active && this.#idle.length === 0) this.#keepSpares();
    if (process.jobs.length === 0) {
      if (process === this.#probation) this.#queue.resetPause();
      if (this.#long.delete(process)) {
        this.#queue.resumeRetries();
        this.#returnToPool(process);
      } else if (process === this.#probation && this.#queue.retries.length === 0) {
        this.#probation = undefined;
        this.#returnToPool(process);
      }
    }
    if (!this.#queue.isEmpty) this.#dispatch();
  }

  /** Makes a process a spare. It is killed if its priority was lowered, or if there are enough spares. */
  #returnToPool(process: DatabaseProcess): void {
    if (process.isLowPriority) return void process.kill();
    // `pop` takes the last process first, which is the fastest: it has compiled code and cached pages.
    this.#idle.push(process);
    // With so many spares, even the next long job needs no new process.
    const max = this.#active ? spares.busy : spares.busy + 1;
    if (this.#idle.length > max) this.#idle.shift()?.kill();
  }

  #onExit(process: DatabaseProcess, [current, ...others]: readonly Job[], reason: string): void {
    this.#forget(process);
    if (!process.ready) this.#startAfter = performance.now() + restartDelayMs;
    current?.fail(processExited(process, reason));
    this.#queue.retry(others);
    this.#dispatch();
  }

  #forget(process: DatabaseProcess): void {
    if (this.#active === process) this.#active = undefined;
    if (this.#probation === process) this.#probation = undefined;
    this.#long.delete(process);
    const at = this.#idle.indexOf(process);
    if (at !== -1) this.#idle.splice(at, 1);
  }

  #tick(): void {
    const now = performance.now();
    this.#ticks++;
    this.#queue.expire(now);
    for (const process of this.#working()) this.#check(process, now);
    this.#dispatch();
    if (this.#processes().some(({ jobs }) => jobs.length > 0)) this.#keepSpares();
    else if (this.#queue.isEmpty) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
      this.#queue.resetPause();
    }
  }

  /** Applies deadlines, cancellation and the memory limit, and finds out whether the job is long. */
  #check(process: DatabaseProcess, now: number): void {
    const { current } = process;
    for (const job of process.jobs) {
      if (job.abandoned) continue;
      if (job.isExpired(now)) job.fail(expiryReason(job));
      else job.reportProgress(now);
    }
    if (!current || !process.ready) return;
    const ranMs = now - current.startedAt;
    // Before this time, waiting for the job costs less than starting another process.
    if (ranMs < slowAfterMs) return;
    if (current.abandoned) return this.#kill(process);
    // Memory is checked only at every third tick, because reading /proc takes time.
    if (this.#ticks % 3 === 0 && (process.memory() ?? 0) > this.#maxMemory) {
      current.fail(outOfMemory(this.#maxMemory));
      return this.#kill(process);
    }
    if (!this.#long.has(process)) {
      if (isLong(process, current)) this.#promoteToLong(process);
    } else if ((ranMs > lowPriorityAfterMs || this.#isCrowded) && !current.hasOutput) {
      process.lowerPriority();
    }
  }

  /**
   * Lets a process go on with its only job, as a long one. A process with several jobs is killed, because it
   * is unknown which of them is long; all of them are tried again.
   */
  #promoteToLong(process: DatabaseProcess): void {
    this.#forget(process);
    if (process.jobs.length > 1) {
      this.#queue.retry(process.kill());
    } else {
      if (this.#long.size < maxLong) this.#long.add(process);
      else this.#queue.long.push(...process.kill());
      if (this.#long.size >= processors - 1) this.#queue.pauseRetries();
    }
    this.#dispatch();
    this.#keepSpares();
  }

  /**
   * Kills a process whose current job has failed. The jobs that waited behind that job run again in another
   * process.
   */
  #kill(process: DatabaseProcess): void {
    this.#forget(process);
    this.#queue.retry(process.kill());
    this.#dispatch();
    this.#keepSpares();
  }

  /** Reads no more output of a job's process until the sink has accepted the output so far. */
  #pauseFor(job: Job, accepted: Backpressure): void {
    if (!accepted) return;
    accepted.catch((error: unknown) => job.fail(error));
    for (const process of this.#processes()) if (process.current === job) process.pauseUntil(accepted);
  }
}

/**
 * Whether a slow job takes long by itself, and not because the machine is busy. The first check of a job only
 * notes the CPU time. At a later check, the job is long if its process has used enough CPU time since the
 * first check, or waits for something other than a processor.
 */
function isLong(process: DatabaseProcess, job: Job): boolean {
  const cpu = process.cpuTime();
  if (job.cpuMsWhenSlow === undefined) {
    job.cpuMsWhenSlow = cpu?.ms ?? 0;
    return false;
  }
  return cpu === undefined || !cpu.running || cpu.ms - job.cpuMsWhenSlow >= longCpuMs;
}
