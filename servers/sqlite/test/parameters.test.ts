import { fileURLToPath } from 'node:url';
import { conversation, errorMessage, responses, runProgram } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

test('a plain integer from 2^53 is refused, also from 2^63', async () => {
  using workspace = new Workspace('CREATE TABLE t(v)');
  await using client = await workspace.connect({ allowWrite: true });
  for (const value of [2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64, 1e300]) {
    expect(await errorMessage(() => workspace.rows(client, 'SELECT ?', [value])), String(value)).toContain(
      'beyond 2^53',
    );
    expect(
      await workspace.say(client, 'write', { sql: 'INSERT INTO t VALUES (?)', params: [value] }),
    ).toContain('beyond 2^53');
  }
  expect(await workspace.rows(client, 'SELECT count(*) FROM t')).toEqual([[0]]);
});

test('1e400 and -0.0 as parameters keep their value', async () => {
  using workspace = new Workspace('CREATE TABLE t(v)');
  // As text, since JSON.stringify would write null and 0.
  const call = (id: number, name: string, args: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
  const input = conversation(
    call(2, 'query', '{"sql":"SELECT typeof(:v), :v > 1e308","params":{"v":1e400},"format":"json"}'),
    call(3, 'query', '{"sql":"SELECT ? AS a, ? AS b","params":[-1e400,-0.0],"format":"csv"}'),
    call(4, 'write', '{"sql":"INSERT INTO t VALUES (?) RETURNING v","params":[-0.0]}'),
    call(5, 'explain', '{"sql":"SELECT ?","params":[1e400]}'),
  );
  const { stdout } = await runProgram(program, ['--allow-write', workspace.path], { input });
  const { get } = responses(stdout);
  expect(get(2).result).toMatchObject({ structuredContent: { rows: [['real', 1]] } });
  expect(get(3).result).toMatchObject({ content: [{ text: 'a,b\n-Infinity,-0.0' }] });
  expect(get(4).result).toMatchObject({ content: [{ text: expect.stringContaining('v\n[-0.0]\n') }] });
  expect(get(5).result).not.toHaveProperty('isError');
});

test('only canonical base64 is accepted for a BLOB', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  for (const $blob of ['A', 'AA', 'AAA', 'AB==', 'AAB=', '====', 'AA=A', 'A===']) {
    expect(await errorMessage(() => workspace.rows(client, 'SELECT ?', [{ $blob }])), $blob).toContain(
      '$blob is not base64',
    );
  }
  expect(await workspace.rows(client, 'SELECT hex(?), hex(?)', [{ $blob: 'AA==' }, { $blob: '' }])).toEqual([
    ['00', ''],
  ]);
});

test('two parameters that differ only in their sign are refused', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(await errorMessage(() => workspace.rows(client, 'SELECT :a, @a', { ':a': 1, '@a': 2 }))).toBe(
    'Parameters ":a" and "@a" have the same name; use different names',
  );
});
