import type { Job } from './job.ts';
import { expiryReason } from './query-errors.ts';

/**
 * Pauses between retries in ms. While long jobs use all processors, the queue pauses when a retried job is
 * long, too; each further pause is four times as long.
 */
const retryPauseMs = { first: 200, max: 3_200 };

/**
 * Jobs that wait for a process. `incoming` are new, and `long` are known to be long. `retries` were sent to a
 * process that was still busy with a slow job, and were taken back. The newest retry is taken first: a retry
 * may be slow itself, and a slow one that is old must not delay a quick one that came later.
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

  /** Adds jobs that have to be run again, except jobs that have already failed. */
  retry(jobs: readonly Job[]): void {
    this.retries.push(...jobs.filter(({ abandoned }) => !abandoned));
  }

  /** Takes the newest job to retry. Returns undefined during a pause, or if there is no such job. */
  nextRetry(): Job | undefined {
    return performance.now() < this.#retryAfter ? undefined : this.retries.pop();
  }

  /**
   * Delays the next retry. Call it when a retried job proves to be long while long jobs use all processors.
   */
  pauseRetries(): void {
    this.#retryAfter = performance.now() + this.#retryPauseMs;
    this.#retryPauseMs = Math.min(this.#retryPauseMs * 4, retryPauseMs.max);
  }

  /** Ends a pause. Call it when a processor is free again. */
  resumeRetries(): void {
    this.#retryAfter = 0;
  }

  /** Makes the next pause as short as the first pause. */
  resetPause(): void {
    this.#retryPauseMs = retryPauseMs.first;
  }

  /** Fails cancelled jobs and those whose deadline has passed; reports the progress of all others. */
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
