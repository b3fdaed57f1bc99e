import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { destroy } from '../conformance/destruction/destroy.ts';

const missing = [
  ['redis-server', '--version'],
  ['nginx', '-v'],
].find(([command = '', argument = '']) => spawnSync(command, [argument]).error);
if (missing) process.stdout.write(`Skipped: replicas that are killed: there is no "${missing[0]}"\n`);

// The short form of `pnpm --dir conformance run destroy`.
test.skipIf(missing)('nothing is lost when replicas and Redis are killed under load', async () => {
  const log: string[] = [];
  const ledger = await destroy({ seconds: 5, seed: 1, clients: 1, log: (line) => log.push(line) });
  expect(ledger.violations).toEqual([]);
  for (const what of ['calls answered', 'replicas killed', 'restarts of Redis', 'stored messages compared'])
    expect(ledger.of(what), what).toBeGreaterThan(0);
});
