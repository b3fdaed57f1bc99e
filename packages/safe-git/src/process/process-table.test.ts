import { expect, test } from 'vitest';
import { processesByPs, runningProcesses } from './process-table.ts';

test('ps shows the same process as the files of the system', async (context) => {
  const [byPs, known] = await Promise.all([processesByPs(), runningProcesses()]);
  context.skip(byPs === undefined, 'The system has no ps');
  const own = (processes: typeof known) => processes?.filter(({ pid }) => pid === process.pid);
  expect(own(byPs)).toHaveLength(1);
  expect(own(byPs)).toEqual(own(known));
});
