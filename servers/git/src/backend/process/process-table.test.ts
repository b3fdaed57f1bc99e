import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { processesByPs, runningProcesses } from './process-table.ts';

const hasPs = (() => {
  try {
    return execFileSync('ps', ['-A']).length > 0;
  } catch {
    return false;
  }
})();
if (!hasPs) console.log('Skipped: this system has no ps');

test.skipIf(!hasPs)('ps shows the same process as the files of the system', async () => {
  const [byPs, known] = await Promise.all([processesByPs(), runningProcesses()]);
  const own = (processes: typeof known) => processes?.filter(({ pid }) => pid === process.pid);
  expect(own(byPs)).toHaveLength(1);
  expect(own(byPs)).toEqual(own(known));
});
