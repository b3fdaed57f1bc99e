import { expect, test } from 'vitest';
import { Quota } from './quota.ts';

const limits = { minute: 600, hour: 5_000, day: 10_000 };
const noon = Date.UTC(2026, 10, 20, 12, 0, 30);

test('allows the limit of a minute, and the rest in the next minute', () => {
  const quota = new Quota(limits);
  for (let count = 0; count < 600; count++) expect(quota.take(1, noon)).toBe(0);
  expect(quota.take(1, noon)).toBe(30_000);
  expect(quota.take(1, noon + 30_000)).toBe(0);
});

test('limits the hour and the day too, which begin with the clock', () => {
  const quota = new Quota(limits);
  let now = noon;
  const take = (count: number) => {
    let wait = 0;
    for (let taken = 0; taken < count;) {
      wait = quota.take(1, now);
      if (wait === 0) taken++;
      else if (wait <= 60_000) now += wait;
      else return wait;
    }
    return 0;
  };
  expect(take(5_000)).toBe(0);
  expect(take(1)).toBe(Date.UTC(2026, 10, 20, 13) - now);
  now = Date.UTC(2026, 10, 20, 13);
  expect(take(5_000)).toBe(0);
  now = Date.UTC(2026, 10, 20, 14);
  expect(take(1)).toBe(10 * 3_600_000);
  now = Date.UTC(2026, 10, 21);
  expect(take(1)).toBe(0);
});

test('counts the weight of requests, and lets background requests use half', () => {
  const quota = new Quota({ minute: 10, hour: 100, day: 100 });
  expect(quota.take(2.5, noon, 0.5)).toBe(0);
  expect(quota.take(2.5, noon, 0.5)).toBe(0);
  expect(quota.take(1, noon, 0.5)).toBe(30_000);
  expect(quota.take(5, noon)).toBe(0);
  expect(quota.take(1, noon)).toBe(30_000);
  // A request that costs more than the whole limit is allowed if no other was counted yet; otherwise it would
  // wait for ever.
  expect(quota.take(50, noon + 30_000)).toBe(0);
});
