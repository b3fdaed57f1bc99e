import { expect, test } from 'vitest';
import { KeyedQueue } from '../src/index.ts';

test('tasks with one key run one after the other, also after an error; those with another key do not wait', async () => {
  const queue = new KeyedQueue();
  const seen: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = queue.run('a', async () => {
    seen.push('first begins');
    await gate;
    seen.push('first ends');
    throw new Error('no');
  });
  const second = queue.run('a', async () => seen.push('second'));
  await queue.run('b', async () => seen.push('other'));
  open();
  await expect(first).rejects.toThrow('no');
  await second;
  expect(seen).toEqual(['first begins', 'other', 'first ends', 'second']);
});
