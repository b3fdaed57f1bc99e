import { fileURLToPath } from 'node:url';
import { getLoadablePath } from 'sqlite-vec';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

const create = 'CREATE VIRTUAL TABLE points USING vec0(id INTEGER PRIMARY KEY, place float[2])';

test('a database with vec0 tables is written, searched and described with the extension', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true, extensions: [getLoadablePath()] });
  expect(await workspace.say(client, 'write', { sql: create })).toContain('created table points');
  const insert = {
    sql: 'INSERT INTO points(id, place) VALUES (?, ?)',
    params: [
      [1, '[0, 0]'],
      [2, '[3, 4]'],
      [3, '[1, 1]'],
    ],
  };
  expect(await workspace.say(client, 'write', insert)).toMatch(/^Changed \d+ rows/);
  const nearest = "SELECT id, distance FROM points WHERE place MATCH '[3, 3]' AND k = 2 ORDER BY distance";
  expect(await workspace.say(client, 'query', { sql: nearest, format: 'csv' })).toMatch(
    /^id,distance\n2,1\.0\n3,2\.8/,
  );
  expect(await workspace.say(client, 'explain', { sql: nearest })).toContain('VIRTUAL TABLE');
  expect(await workspace.say(client, 'describe_table', { table: 'points' })).toContain(
    'points: virtual, 4 columns, 3 rows',
  );
  await using plain = await workspace.connect();
  expect(await workspace.say(plain, 'query', { sql: nearest })).toContain('no such module: vec0');
});

test('SQL cannot load an extension, and a file that is none is an error', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ extensions: [getLoadablePath()] });
  expect(
    await workspace.say(client, 'query', { sql: `SELECT load_extension('${getLoadablePath()}')` }),
  ).toContain('ERROR');
  expect(
    await workspace.say(client, 'query', { sql: "SELECT vec_length('[1, 2]') AS n", format: 'csv' }),
  ).toBe('n\n2');
  await expect(workspace.connect({ extensions: ['missing.so'] })).rejects.toThrow(
    'No such extension: "missing.so"; expected the file of a shared library',
  );
  const text = fileURLToPath(import.meta.url);
  await using broken = await workspace.connect({ extensions: [text] });
  expect(await workspace.say(broken, 'query', { sql: 'SELECT 1' })).toContain(
    `ERROR The extension ${JSON.stringify(text)} cannot be loaded: `,
  );
});
