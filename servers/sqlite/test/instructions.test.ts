import { expect, test, vi } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

// One of the queries takes two seconds or more, and much longer on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

shareProcesses();

test.each([
  ['one database, read-only', 1, {}],
  ['one database, with writes and imports', 1, { allowWrite: true, imports: true }],
  ['two databases', 2, {}],
  ['three databases, with writes and imports', 3, { allowWrite: true, imports: true }],
  ['sixty databases', 60, {}],
])(
  'instructions for %s have 400 to 600 bytes',
  async (_, count, { imports = false, ...options }: { imports?: boolean; allowWrite?: boolean }) => {
    using workspace = new Workspace();
    const names = Array.from({ length: count - 1 }, (_each, index) => `stats-of-year-${2_000 + index}`);
    const paths = [
      workspace.path,
      ...names.map((name) => workspace.putDatabase(`${name}.db`, 'CREATE TABLE t(v)')),
    ];
    await using client = await workspace.connect({
      ...options,
      paths,
      importDirectory: imports ? workspace.outside : undefined,
    });
    const { instructions = '' } = client;
    expect(Buffer.byteLength(instructions)).toBeGreaterThanOrEqual(400);
    expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(600);
    expect(instructions).toContain('"shop"');
    if (count > 1) {
      expect(instructions).toContain('"stats-of-year-2000"');
      const known = names.map((name) => `"${name}"`).join(', ');
      const error = `ERROR Missing database; expected one of "shop", ${known}`;
      expect(await workspace.say(client, 'query', { sql: 'SELECT 1' })).toContain(error.slice(0, 900));
    }
    for (const database of ['shop', 'shop.db', 'SHOP', workspace.path])
      expect(await workspace.say(client, 'query', { sql: 'SELECT 1 AS one', database, format: 'csv' })).toBe(
        'one\n1',
      );
  },
);

test('an answer that took at least half of its time says so', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const count = (rows: number) =>
    `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${rows}) SELECT count(*) AS n FROM c`;
  const say = (rows: number) =>
    workspace.say(client, 'query', { sql: count(rows), timeout_ms: 4_000, format: 'csv' });
  expect(await say(1)).toBe('n\n1');
  const started = performance.now();
  let text = await say(1_000_000);
  const elapsedMs = performance.now() - started;
  // Searches for a number of rows whose query takes two to four seconds. On a busy machine, that may need
  // several attempts.
  for (let rows = Math.ceil((1_000_000 * 2_600) / elapsedMs); !text.includes('Took');) {
    text = await say(rows);
    rows = Math.ceil(rows * (text.startsWith('ERROR') ? 0.8 : 1.3));
  }
  expect(text).toMatch(
    /^n\n\d+\n\nTook [234]\.\d s of at most 4\.0 s; explain shows the plan, timeout_ms allows more time$/,
  );
});
