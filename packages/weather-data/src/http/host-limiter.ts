import type { Quota } from './quota.ts';
import { Semaphore } from './semaphore.ts';

/** The limits for one host: concurrency, quota, and the end of a wait that `Retry-After` demands. */
export class HostLimiter {
  readonly semaphore: Semaphore;
  readonly quota: Quota | undefined;
  blockedUntil = 0;
  blockedReason: string | undefined;

  constructor({ concurrency, quota }: { concurrency: number; quota?: Quota }) {
    this.semaphore = new Semaphore(concurrency);
    this.quota = quota;
  }

  /** Makes no requests until a time in milliseconds since 1970. */
  block(until: number, reason: string): void {
    if (until <= this.blockedUntil) return;
    this.blockedUntil = until;
    this.blockedReason = reason;
  }
}
