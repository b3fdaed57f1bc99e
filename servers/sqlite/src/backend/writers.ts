import { DatabaseError } from './failure.ts';
import { DatabaseProcess } from './database-process.ts';
import { Job, type Reply } from './job.ts';
import type { JobOptions } from './readers.ts';
import type { Request } from './wire.ts';

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
    this.#process ??= new DatabaseProcess('write', {
      free: (process) => {
        if (process.jobs.length === 0) this.#done();
      },
      died: (_, jobs, reason) => {
        this.#process = undefined;
        for (const each of jobs)
          each.fail(new DatabaseError({ message: `The process that wrote ended (${reason})` }));
        this.#done();
      },
    });
    this.#process.send(job);
    this.#timer = setTimeout(
      () => this.#stop(job, late(job, 'Nothing of it was written')),
      job.deadline - performance.now(),
    );
  }

  #done(): void {
    clearTimeout(this.#timer);
    this.#at = undefined;
    this.#next();
  }

  /** Ends the process in the midst of a transaction: the next one that opens the database undoes it. */
  #stop(job: Job, error: unknown): void {
    if (this.#at !== job) {
      this.#queue = this.#queue.filter((each) => each !== job);
      return job.fail(error);
    }
    this.#process?.kill();
    this.#process = undefined;
    job.fail(error);
    // Until then, who may only read cannot.
    const { path } = JSON.parse(job.line) as Request;
    const repair = new Job({ op: 'repair', path, args: {} }, { timeoutMs: job.timeoutMs + 60_000 });
    repair.promise.catch(() => {});
    this.#queue.unshift(repair);
    this.#done();
  }
}

function late(job: Job, hint: string): DatabaseError {
  return new DatabaseError({
    code: 'SQLITE_INTERRUPT',
    message: `Not done within ${Math.round(job.timeoutMs)} ms`,
    hint,
  });
}
