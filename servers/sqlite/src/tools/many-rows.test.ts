import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const insert = 'INSERT INTO t VALUES (?, ?)';
const rows = (count: number, who: string) => Array.from({ length: count }, (_, index) => [who, index]);

test('a cancelled transaction of many rows writes nothing, and the next one works', async () => {
  using workspace = new Workspace('CREATE TABLE t(who, n)');
  await using client = await workspace.connect({ allowWrite: true });
  const cancel = new AbortController();
  const endless =
    'INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, x FROM c';
  const written = client.callTool(
    'write',
    { sql: insert, params: rows(1_000, 'a'), more: [endless] },
    { signal: cancel.signal, onProgress: () => cancel.abort() },
  );
  await expect(written).rejects.toThrow();
  expect(await workspace.say(client, 'write', { sql: insert, params: rows(1_000, 'b') })).toContain(
    'Changed 1000 rows',
  );
  expect(await workspace.rows(client, 'SELECT who, count(*) FROM t GROUP BY 1')).toEqual([['b', 1_000]]);
});

test('two servers that write many rows at once both write all of them', async () => {
  using workspace = new Workspace('CREATE TABLE t(who, n)');
  await using one = await workspace.connect({ allowWrite: true });
  await using two = await workspace.connect({ allowWrite: true });
  const answers = await Promise.all(
    [one, two].map((client, index) =>
      workspace.say(client, 'write', { sql: insert, params: rows(2_000, String(index)) }),
    ),
  );
  // The rowids of one write are not among those of the other, so each write can be undone separately.
  const undo = answers.map((text) => /^Undo: (DELETE .*)$/m.exec(text)![1]!);
  expect(await workspace.rows(one, 'SELECT who, count(*) FROM t GROUP BY 1')).toEqual([
    ['0', 2_000],
    ['1', 2_000],
  ]);
  await workspace.say(two, 'write', { sql: undo[0] });
  expect(await workspace.rows(one, 'SELECT who, count(*) FROM t GROUP BY 1')).toEqual([['1', 2_000]]);
});
