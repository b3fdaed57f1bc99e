import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { Replicas } from '../packages/protocol/test/sessions/replicas.ts';
import type * as Official from './official/replicated.ts';

// The clients, where they are installed.
const { connectReplicated } = inject('official')
  ? await import('./official/replicated.ts')
  : ({} as typeof Official);

const options = { keys: [randomBytes(32).toString('hex')], note: fileURLToPath(import.meta.url) };

test
  .skipIf(!inject('official'))
  .each([
    ['v1 client', undefined],
    ...['2025-03-26', '2025-06-18', '2025-11-25'].map(
      (version) => [`v2 client at ${version}`, version] as const,
    ),
  ] as const)('%s is served by each of two replicas, one killed and replaced', async (_, version) => {
  await using replicas = await Replicas.start(2, 'in turn', options);
  const client = await connectReplicated(replicas.url, version);
  const { sessionId } = client;
  for (const turn of ['before', 'after']) {
    const pids = new Set<number>();
    for (let call = 0; call < 20; call++) {
      const told = await client.who();
      expect([turn, told.client]).toMatchObject([turn, { sessionId, info: { name: 'official' } }]);
      pids.add(told.pid);
    }
    expect(pids).toEqual(new Set(replicas.pids));
    if (turn === 'before') await replicas.replace(0, options);
  }
  await client.close();
});
