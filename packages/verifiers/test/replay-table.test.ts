import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReplayTable } from '../src/dpop/replay-table.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a client with too many proofs is stopped until they end, and no other client', () => {
  const table = new ReplayTable(1_000);
  for (let id = 0; id < 10_000; id++) expect(table.add('ada', String(id))).toBe(true);
  expect(() => table.add('ada', 'one more')).toThrow('Too many proofs (DPoP) in a short time');
  expect(table.add('ada', '0')).toBe(false);
  expect(table.add('ben', '0')).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(table.add('ada', '0')).toBe(true);
});

test('a full table takes no proof, because it could not refuse it later', () => {
  const table = new ReplayTable(1_000);
  for (let id = 0; id < 100_000; id++) table.add(`client-${id % 20}`, String(id));
  expect(() => table.add('ada', '0')).toThrow('Too many proofs');
  vi.advanceTimersByTime(1_000);
  expect(table.add('ada', '0')).toBe(true);
});
