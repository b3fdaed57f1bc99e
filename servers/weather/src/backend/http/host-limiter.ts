import type { Quota } from './quota.ts';
import { Turns } from './semaphore.ts';

/** The way to one host: who may ask next, what is left of its quota, and until when it wants to be left alone. */
export class Lane {
  readonly turns: Turns;
  readonly quota: Quota | undefined;
  blockedUntil = 0;
  blockedWhy: string | undefined;

  constructor({ concurrency, quota }: { concurrency: number; quota?: Quota }) {
    this.turns = new Turns(concurrency);
    this.quota = quota;
  }

  block(until: number, why: string): void {
    if (until <= this.blockedUntil) return;
    this.blockedUntil = until;
    this.blockedWhy = why;
  }
}
