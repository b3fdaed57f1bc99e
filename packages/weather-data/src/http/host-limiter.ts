import type { Quota } from './quota.ts';
import { Semaphore } from './semaphore.ts';

/** The limits for one host: concurrent requests, quota, and until when `Retry-After` forbids requests. */
export class HostLimiter {
  readonly semaphore: Semaphore;
  readonly quota: Quota | undefined;
  blockedUntil = 0;
  blockedReason: string | undefined;

  constructor({ concurrency, quota }: { concurrency: number; quota?: Quota }) {
    this.semaphore = new Semaphore(concurrency);
    this.quota = quota;
  }

  /**
   * Blocks all requests until `until`, in milliseconds since 1970, if they are not blocked for longer
   * already.
   */
  block(until: number, reason: string): void {
    if (until <= this.blockedUntil) return;
    this.blockedUntil = until;
    this.blockedReason = reason;
  }
}
