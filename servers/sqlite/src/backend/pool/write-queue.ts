import { DatabaseError } from '../errors.ts';
import { DatabaseProcess } from './database-process.ts';
import { Job, type Reply } from './job.ts';
import type { JobOptions } from './reader-pool.ts';
import type { Request } from '../worker-protocol.ts';

const unsure = 'It was about to be written for good: look whether it was before you try again';
/** A process that waits for a disk ends late. */
const longestEndMs = 1_000;

/** Runs writes, one after the other, in a child process that is ended when one takes too long. */
export class Writers {
  #process: DatabaseProcess | undefined;
  #queue: Job[] = [];
  #at: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  async run(request: Request, options: JobOptions): Promise<Reply> {
    const signal = options.call?.signal;
    signal?.throwIfAborted();
    const job = new Job(request, options);
    const cancelled = () => this.#stop(job, signal!.reason);
    signal?.addEventListener('abort', cancelled, { once: true });
    this.#queue.push(job);
    this.#next();
    try {
      return await job.promise;
    } finally {
      signal?.removeEventListener('abort', cancelled);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    const gone = new DatabaseError({ message: 'The server is closing' });
    this.#at?.fail(gone);
    for (const job of [...(this.#process?.kill() ?? []), ...this.#queue.splice(0)]) job.fail(gone);
    this.#process = undefined;
  }

  #next(): void {
    if (this.#at || this.#closed) return;
    const job = this.#queue.shift();
    if (!job) return;
    if (job.deadline <= performance.now()) {
      job.fail(late(job, 'It was not begun, since others were at work'));
      return this.#next();
    }
    this.#at = job;
    this.#process ??= this.#start();
    this.#process.send(job);
    this.#timer = setTimeout(() => this.#stop(job), job.deadline - performance.now());
  }

  #start(): DatabaseProcess {
    return new DatabaseProcess('write', {
      free: (process) => {
        // One that is being ended may still have answered; then the next waits until it has ended.
        if (process === this.#process && process.jobs.length === 0) this.#done();
      },
      died: (process, [job], reason) => {
        if (process === this.#process) {
          this.#process = undefined;
          job?.fail(
            new DatabaseError({ message: `The process that wrote ended (${reason})`, hint: fateOf(job) }),
          );
        } else {
          job?.fail(late(job, fateOf(job)));
          this.#repair();
        }
        this.#done();
      },
    });
  }

  #done(): void {
    clearTimeout(this.#timer);
    this.#at = undefined;
    this.#next();
  }

  /** Ends the process in the midst of a transaction: the next one that opens the database undoes it. */
  #stop(job: Job, reason?: unknown): void {
    if (this.#at !== job) {
      this.#queue = this.#queue.filter((each) => each !== job);
      return job.fail(reason);
    }
    this.#process?.end();
    this.#process = undefined;
    // Nobody waits for what is cancelled; how it went with others is known once the process has ended.
    if (reason !== undefined) return job.fail(reason);
    setTimeout(() => job.fail(late(job, unsure)), longestEndMs).unref();
  }

  /** Until a process that was ended is undone, who may only read cannot. */
  #repair(): void {
    if (!this.#at) return;
    const { path } = JSON.parse(this.#at.line) as Request;
    const repair = new Job({ op: 'repair', path, args: {} }, { timeoutMs: this.#at.timeoutMs + 60_000 });
    repair.promise.catch(() => {});
    this.#queue.unshift(repair);
  }
}

/** What is known of what a statement wrote whose process has ended. */
function fateOf(job: Job): string {
  return job.committing ? unsure : 'Nothing of it was written';
}

function late(job: Job, hint: string): DatabaseError {
  return new DatabaseError({
    code: 'SQLITE_INTERRUPT',
    message: `Not done within ${Math.round(job.timeoutMs)} ms`,
    hint,
  });
}
