import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { faults } from '../conformance/simulation/faults.ts';

const program = join(import.meta.dirname, '../conformance/simulation/main.ts');

async function simulate(...args: readonly string[]): Promise<string> {
  const all = ['--conditions=@mcp/source', program, ...args];
  return (await promisify(execFile)(process.execPath, all)).stdout;
}

// The short form of `pnpm simulate`.
test('everything holds while replicas, connections and Redis fail', async () => {
  expect(await simulate('--seeds', '300', '--workers', '1')).toBe('300 seeds from 0 on: everything holds\n');
});

test('the simulation finds each known fault, with a short schedule', async () => {
  const found = (await simulate('--faults')).split(/^(?=\S)/m);
  expect(found.map((each) => each.split('\n')[0])).toEqual(faults.map(({ name }) => `Found: ${name}`));
  for (const each of found) {
    const actions = each.match(/^ +\d+ ms /gm) ?? [];
    expect(actions.length, each).toBeGreaterThan(0);
    expect(actions.length, each).toBeLessThan(9);
  }
  // The code is loaded once for each fault, and each schedule is shortened.
}, 180_000);
