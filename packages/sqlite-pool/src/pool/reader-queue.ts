import type { Job } from './job.ts';
import { expiryReason } from './query-errors.ts';

/**
 * Pauses between retries, in milliseconds: starting a process keeps the server busy. While long jobs take all
 * processors, the queue pauses after each retried job that is long too; each further pause is four times as
 * long.
 */
const retryPauseMs = { first: 200, max: 3_200 };

/**
 * Jobs that wait for a reader process, in three groups: new jobs, in order; jobs that waited behind a slow
 * one, newest first, so that many endless queries do not delay cheap jobs that come later; and jobs known to
 * be long.
 */
export class ReaderQueue {
  readonly incoming: Job[] = [];
  readonly retries: Job[] = [];
  readonly long: Job[] = [];
  #retryAfter = 0;
  #retryPauseMs = retryPauseMs.first;

  get isEmpty(): boolean {
    return this.incoming.length === 0 && this.retries.length === 0 && this.long.length === 0;
  }

  /** Queues jobs that have to be run again, unless they were abandoned. */
  retry(jobs: readonly Job[]): void {
    this.retries.push(...jobs.filter(({ abandoned }) => !abandoned));
  }

  /** Takes the newest job to retry; returns undefined during a pause or if there is none. */
  nextRetry(): Job | undefined {
    return performance.now() < this.#retryAfter ? undefined : this.retries.pop();
  }

  /** Call after a retried job proved to be long while all processors are taken. */
  pauseRetries(): void {
    this.#retryAfter = performance.now() + this.#retryPauseMs;
    this.#retryPauseMs = Math.min(this.#retryPauseMs * 4, retryPauseMs.max);
  }

  /** Ends a pause, because a processor is free again. */
  resumeRetries(): void {
    this.#retryAfter = 0;
  }

  /** Makes the next pause as short as the first one. */
  resetPause(): void {
    this.#retryPauseMs = retryPauseMs.first;
  }

  /** Fails the jobs that are cancelled or past their deadline, and reports the progress of the others. */
  expire(now: number): void {
    for (const queue of [this.incoming, this.retries, this.long]) {
      const expired = queue.filter((job) => job.isExpired(now));
      for (const job of expired) {
        queue.splice(queue.indexOf(job), 1);
        job.fail(expiryReason(job));
      }
      for (const job of queue) job.reportProgress(now);
    }
  }

  clear(): Job[] {
    return [...this.incoming.splice(0), ...this.retries.splice(0), ...this.long.splice(0)];
  }
}
