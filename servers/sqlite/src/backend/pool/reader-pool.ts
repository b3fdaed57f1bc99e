import { availableParallelism } from 'node:os';
import { DatabaseError } from '../errors.ts';
import { DatabaseProcess } from './database-process.ts';
import { Job, type Patience, type Reply } from './job.ts';
import type { Request } from '../worker-protocol.ts';

export interface JobOptions extends Patience {
  /** Takes a result piece by piece instead of having it collected. */
  readonly sink?: Sink | undefined;
}

export interface Sink {
  /** May give what to wait for before the next; where that fails, so does the request. */
  piece(json: string): Promise<unknown> | undefined;
  /** What came so far does not count: it begins again. */
  restart(): void;
}

const processors = availableParallelism();

/** A request that takes longer is given a process of its own, so that those behind it do not wait. */
const quickMs = 25;
/** What its process must have computed for that, where the machine has so much else to do that it hardly runs. */
const longMs = 20;
/**
 * Beyond this it lets everything else on the machine go first; and will never be quick again, so that it is not kept.
 * Where others wait for their turn, it does so at once.
 */
const politeMs = 500;
const tickMs = 10;
/**
 * Starting a process keeps this one busy, so that where long requests take all processors, those that wait are tried
 * with a pause after each that was long too: at first this long, and four times as long after each more in a row.
 */
const pauseMs = { first: 200, most: 3_200 };
/** Requests that are on their way to one process at a time. */
const window = 64;
/** Long requests that run at the same time; the others wait for their turn. */
const mostLong = Math.min(4, Math.max(2, processors));
const spares = { idle: 1, busy: 2 };
/** Where a process could not be started, the next spare one is tried for after this time. */
const notStartedMs = 1_000;

/**
 * Runs reads in child processes. What is new goes to one process, in order. One that does not come back soon keeps
 * that process, and another takes over; those that waited behind it are tried one at a time, newest first, so that a
 * crowd of endless queries delays nobody who asks for less. A deadline, too much memory or a cancellation ends the
 * process; a spare one stands by.
 */
export class Readers {
  readonly #maxMemory: number;
  #front: DatabaseProcess | undefined;
  /** Where those are tried that waited behind a long one. */
  #trial: DatabaseProcess | undefined;
  readonly #long = new Set<DatabaseProcess>();
  readonly #idle: DatabaseProcess[] = [];
  #fresh: Job[] = [];
  #waiting: Job[] = [];
  #proven: Job[] = [];
  #trialAfter = 0;
  #spareAfter = 0;
  #pause = pauseMs.first;
  #ticker: NodeJS.Timeout | undefined;
  #ticks = 0;
  #closed = false;

  /** `maxMemory` is in bytes, for one process. */
  constructor({ maxMemory }: { readonly maxMemory: number }) {
    this.#maxMemory = maxMemory;
  }

  /** Starts a process, so that the first request does not wait for it. */
  warm(): void {
    if (!this.#front && !this.#closed) this.#front = this.#take();
  }

  run(request: Request, options: JobOptions): Promise<Reply> {
    const { sink } = options;
    const pieces = sink && {
      piece: (json: string) => this.#stream(job, sink.piece(json)),
      restart: () => sink.restart(),
    };
    const job: Job = new Job(request, options, pieces);
    this.#fresh.push(job);
    this.#dispatch();
    this.#watch();
    return job.promise;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#ticker);
    const gone = new DatabaseError({ message: 'The server is closing' });
    for (const job of this.#queued()) job.fail(gone);
    for (const process of this.#processes()) for (const job of process.kill()) job.fail(gone);
    this.#front = this.#trial = undefined;
    this.#long.clear();
    this.#idle.length = 0;
  }

  #processes(): DatabaseProcess[] {
    return [this.#front, this.#trial, ...this.#long, ...this.#idle].filter((each) => each !== undefined);
  }

  /** Whether none of the spare processes is still starting. */
  get #areUp(): boolean {
    return this.#idle.every(({ ready }) => ready);
  }

  /** Whether long requests are not alone. */
  get #isCrowded(): boolean {
    return this.#long.size > 1 || this.#waiting.length > 0 || this.#proven.length > 0;
  }

  #queued(): Job[] {
    return [...this.#fresh.splice(0), ...this.#waiting.splice(0), ...this.#proven.splice(0)];
  }

  /** A process without work: a spare one, or a new one. */
  #take(): DatabaseProcess {
    return this.#idle.pop() ?? this.#start();
  }

  #start(): DatabaseProcess {
    return new DatabaseProcess('read', {
      free: (process) => this.#free(process),
      died: (process, jobs, reason) => this.#died(process, jobs, reason),
    });
  }

  #dispatch(): void {
    if (this.#closed) return;
    if (this.#fresh.length > 0) {
      this.#front ??= this.#take();
      while (this.#fresh.length > 0 && this.#front.jobs.length < window)
        this.#front.send(this.#fresh.shift()!);
    }
    // Whoever is tried may be long too: then another process has to be there at once.
    const free = (!this.#trial || this.#trial.jobs.length === 0) && this.#areUp;
    if (this.#waiting.length > 0 && free && performance.now() >= this.#trialAfter) {
      this.#trial ??= this.#take();
      this.#trial.send(this.#waiting.pop()!);
    }
    while (this.#proven.length > 0 && this.#long.size < mostLong) {
      const process = this.#take();
      this.#long.add(process);
      process.send(this.#proven.shift()!);
    }
    if (this.#front && this.#front.jobs.length > 0) this.#keepSpares();
  }

  /** One at a time: nobody is answered while a process is being started, and it computes much until it is up. */
  #keepSpares(): void {
    const wanted = this.#long.size > 0 ? spares.busy : spares.idle;
    if (this.#idle.length >= wanted || !this.#areUp || performance.now() < this.#spareAfter) return;
    this.#idle.unshift(this.#start());
  }

  #free(process: DatabaseProcess): void {
    if (process === this.#front && this.#idle.length === 0) this.#keepSpares();
    if (process.jobs.length === 0) {
      if (process === this.#trial) this.#pause = pauseMs.first;
      if (this.#long.delete(process)) {
        this.#trialAfter = 0;
        this.#retire(process);
      } else if (process === this.#trial && this.#waiting.length === 0) {
        this.#trial = undefined;
        this.#retire(process);
      }
    }
    if (this.#fresh.length > 0 || this.#waiting.length > 0 || this.#proven.length > 0) this.#dispatch();
  }

  /** Keeps a process as a spare where one is missing and it is as good as new. */
  #retire(process: DatabaseProcess): void {
    if (process.low) return void process.kill();
    // What has run knows better how to than one that has not.
    this.#idle.push(process);
    // So many that the next long one finds as many as this one did, and none has to be started.
    const most = this.#front ? spares.busy : spares.busy + 1;
    if (this.#idle.length > most) this.#idle.shift()?.kill();
  }

  #died(process: DatabaseProcess, [first, ...others]: readonly Job[], reason: string): void {
    this.#forget(process);
    if (!process.ready) this.#spareAfter = performance.now() + notStartedMs;
    first?.fail(endedFor(process, reason));
    this.#waiting.push(...others.filter(({ abandoned }) => !abandoned));
    this.#dispatch();
  }

  #forget(process: DatabaseProcess): void {
    if (this.#front === process) this.#front = undefined;
    if (this.#trial === process) this.#trial = undefined;
    this.#long.delete(process);
    const at = this.#idle.indexOf(process);
    if (at !== -1) this.#idle.splice(at, 1);
  }

  #watch(): void {
    this.#ticker ??= setInterval(() => this.#tick(), tickMs);
  }

  #tick(): void {
    const now = performance.now();
    this.#ticks++;
    for (const queue of [this.#fresh, this.#waiting, this.#proven]) {
      for (const job of queue.filter((each) => each.isOver(now))) {
        queue.splice(queue.indexOf(job), 1);
        job.fail(reasonFor(job));
      }
    }
    for (const process of [this.#front, this.#trial, ...this.#long]) {
      if (process) this.#look(process, now);
    }
    this.#dispatch();
    const busy = this.#processes().some(({ jobs }) => jobs.length > 0);
    if (busy) this.#keepSpares();
    else if (this.#fresh.length + this.#waiting.length + this.#proven.length === 0) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
      this.#pause = pauseMs.first;
    }
  }

  #look(process: DatabaseProcess, now: number): void {
    const { head } = process;
    for (const job of process.jobs) if (job.isOver(now) && !job.abandoned) job.fail(reasonFor(job));
    if (!head || !process.ready) return;
    const ran = now - head.begun;
    // What is over sooner than that costs less than another process.
    if (ran < quickMs) return;
    if (head.abandoned) return this.#end(process);
    // Reading what the system says of a process takes its time.
    if (this.#ticks % 3 === 0 && (process.memory() ?? 0) > this.#maxMemory) {
      return this.#end(process, tooMuch(this.#maxMemory));
    }
    if (!this.#long.has(process)) {
      if (isLong(process, head)) this.#detach(process);
    } else if ((ran > politeMs || this.#isCrowded) && !head.answering) {
      process.yieldToOthers();
    }
  }

  /**
   * The process keeps the long request that it is at, and another takes its place. Where it has several, nobody knows
   * which of them is long, for it answers some at a time: then they are all tried again, one by one.
   */
  #detach(process: DatabaseProcess): void {
    this.#forget(process);
    if (process.jobs.length > 1) {
      this.#waiting.push(...process.kill().filter(({ abandoned }) => !abandoned));
    } else {
      if (this.#long.size < mostLong) this.#long.add(process);
      // It is begun again when there is room for a long one.
      else this.#proven.push(...process.kill());
      if (this.#long.size >= processors - 1) this.#pauseTrials();
    }
    this.#dispatch();
    this.#keepSpares();
  }

  #pauseTrials(): void {
    this.#trialAfter = performance.now() + this.#pause;
    this.#pause = Math.min(this.#pause * 4, pauseMs.most);
  }

  /** Ends a process and what it is at, for which `error` is the answer. */
  #end(process: DatabaseProcess, error?: Error): void {
    this.#forget(process);
    const [head, ...behind] = process.kill();
    if (error && head && !head.abandoned) head.fail(error);
    this.#waiting.push(...behind.filter(({ abandoned }) => !abandoned));
    this.#dispatch();
    this.#keepSpares();
  }

  #stream(job: Job, wait: Promise<unknown> | undefined): void {
    if (!wait) return;
    wait.catch((error: unknown) => job.fail(error));
    for (const process of this.#processes()) if (process.head === job) process.pauseUntil(wait);
  }
}

/**
 * Whether a request takes long, and not only the machine: at a second look, its process has computed since the first,
 * or waits for something other than its turn.
 */
function isLong(process: DatabaseProcess, job: Job): boolean {
  const now = process.computed();
  if (job.seen === undefined) {
    job.seen = now?.ms ?? 0;
    return false;
  }
  return now === undefined || !now.running || now.ms - job.seen >= longMs;
}

function reasonFor(job: Job): unknown {
  return job.signal?.aborted ? job.signal.reason : lateFor(job);
}

function endedFor(process: DatabaseProcess, reason: string): DatabaseError {
  return new DatabaseError(
    process.ready
      ? {
          message: `The process that ran this ended (${reason})`,
          hint: 'It may need more memory than there is; ask for less at once',
        }
      : {
          message: `No process to run this in could be started (${reason})`,
          hint: 'There may be too many processes or open files; try again later',
        },
  );
}

function lateFor(job: Job): DatabaseError {
  const ran = job.begun > 0 ? '' : ', without its turn having come';
  return new DatabaseError({
    code: 'SQLITE_INTERRUPT',
    message: `Not done within ${Math.round(job.timeoutMs)} ms${ran}`,
    hint: 'Ask for less, look at the plan with explain, or raise timeout_ms',
  });
}

function tooMuch(bytes: number): DatabaseError {
  return new DatabaseError({
    code: 'SQLITE_NOMEM',
    message: `The statement needs more than ${Math.round(bytes / 1024 / 1024)} MB of memory`,
    hint: 'Ask for less at once; large values can be had in parts with substr()',
  });
}
