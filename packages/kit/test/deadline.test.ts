import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { abortable, backOff, pause, within } from '../src/index.ts';

const never = new Promise<never>(() => {});

test('a wait returns the result of work, or undefined at its deadline', async () => {
  await expect(within(60_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(within(1, never)).resolves.toBeUndefined();
  await expect(within(-1, never)).resolves.toBeUndefined();
  await expect(within(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('an error after the deadline is not an unhandled rejection', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  await within(1, promise);
  reject(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
});

test('a wait ends with its signal, and leaves no listener', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  await within(60_000, Promise.resolve(), { signal });
  await pause(1, { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const waits = [
    within(60_000, never, { signal }),
    pause(60_000, { signal }),
    backOff({ minMs: 60_000, maxMs: 60_000 }, 1, { signal }),
  ];
  controller.abort();
  await Promise.all(waits);
  await pause(60_000, { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('work that is no longer waited for is rejected with the reason of the signal', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  await expect(abortable(Promise.resolve('done'), signal)).resolves.toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const waiting = abortable(never, signal);
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(abortable(never, signal)).rejects.toBe(reason);
});

test('a long delay does not overflow the timer', async () => {
  // A timer that overflows fires after a millisecond.
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const controller = new AbortController();
  const wait = pause(Infinity, { signal: controller.signal }).then(() => 'over');
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(Promise.race([wait, Promise.resolve('waiting')])).resolves.toBe('waiting');
  controller.abort();
  await wait;
});
