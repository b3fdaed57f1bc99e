import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const times = Number(process.env['GENERATED_TIMES'] ?? 1);

let workspace: Workspace;
let client: Client;
let tables = 0;

beforeAll(async () => {
  workspace = new Workspace();
  const files = join(workspace.root, 'files');
  mkdirSync(files);
  client = await workspace.connect({ allowWrite: true, importDirectory: files, exportDirectory: files });
});
afterAll(async () => {
  await client.close();
  workspace[Symbol.dispose]();
});

type Stored = readonly [type: string, text: string];

/** Imports a file, and returns each value as its type and its digits. */
async function imported(name: string, content: string, column = 'v'): Promise<readonly Stored[]> {
  writeFileSync(join(workspace.root, 'files', name), content);
  const table = `t${++tables}`;
  expect(await workspace.say(client, 'import', { path: name, table })).toMatch(/^Imported/);
  const sql = `SELECT typeof(${column}), iif(typeof(${column}) = 'real', printf('%!.17g', ${column}), CAST(${column} AS TEXT)) FROM ${table} ORDER BY rowid`;
  const rows = (await workspace.rows(client, sql)) as Stored[];
  await workspace.say(client, 'write', { sql: `DROP TABLE ${table}` });
  return rows;
}

/** The value of a decimal, as digits without zeros around them and an exponent. */
function meaning(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  if (bare === '') return '0';
  return `${sign === '-' ? '-' : ''}${bare}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - bare.length)}`;
}

/** Whether a stored value is the imported number: its text, or a number with the same meaning. */
function isExact(written: string, [type, text]: Stored): boolean {
  if (type === 'text') return text === written;
  // A REAL means the shortest of all decimals that are read as this REAL.
  return meaning(type === 'integer' ? text : String(Number(text))) === meaning(written);
}

test.each([
  ['0.1234567890123456789', 'text'],
  ['1.00000000000000001', 'text'],
  ['1e-400', 'text'],
  ['-1e-400', 'text'],
  ['4.94e-324', 'text'],
  ['1e400', 'text'],
  ['18446744073709551615', 'text'],
  ['-9223372036854775809', 'text'],
  ['9223372036854775807', 'integer'],
  ['9007199254740993', 'integer'],
  ['9007199254740993.0', 'text'],
  ['1.0', 'real'],
  ['0.10000000000000000000', 'real'],
  ['1e5', 'real'],
  ['5e-324', 'real'],
  ['0.30000000000000004', 'real'],
  ['3.14', 'real'],
  ['0', 'integer'],
])('%s is imported as %s, with all its digits', async (number, type) => {
  for (const [name, content] of [
    ['one.json', `[{"v":${number}}]`],
    ['one.jsonl', `{"v":${number}}\n`],
    ['one.csv', `v\n${number}\n`],
  ] as const) {
    const [stored] = await imported(name, content);
    expect(stored?.[0], name).toBe(type);
    expect(isExact(number, stored!), `${name} ${stored!.join(' ')}`).toBe(true);
  }
});

test('numbers inside of arrays and objects keep their digits', async () => {
  const value = '[1.0,1.00000000000000001,{"a":18446744073709551615,"b":1e-400}]';
  expect(await imported('nested.json', `[{"v":${value}}]`)).toEqual([['text', value]]);
});

test('an export as JSON Lines is imported with the types that it had', async () => {
  const values =
    "(1.0), ('1'), (1), (NULL), (-0.0), (1e300), (9007199254740993), ('1.0'), (0.1), (x'00'), (9e999)";
  await workspace.say(client, 'write', {
    sql: `CREATE TABLE mixed(v)`,
    more: [`INSERT INTO mixed VALUES ${values}`],
  });
  const both = async (from: string) => {
    const path = `mixed${++tables}.jsonl`;
    await workspace.say(client, 'export', { sql: `SELECT v FROM ${from}`, path, format: 'jsonl' });
    return readFileSync(join(workspace.root, 'files', path), 'utf8');
  };
  const exported = await both('mixed');
  writeFileSync(join(workspace.root, 'files', 'again.jsonl'), exported);
  expect(await workspace.say(client, 'import', { path: 'again.jsonl', table: 'again' })).toContain(
    'Imported',
  );
  expect(await both('again')).toBe(exported);
  const types = 'SELECT typeof(v) FROM';
  expect(await workspace.rows(client, `${types} again`)).toEqual(
    await workspace.rows(client, `${types} mixed`),
  );
  const reals = '{"v":1.0}\n{"v":2.0}\n';
  expect((await imported('reals.jsonl', reals)).map(([type]) => type)).toEqual(['real', 'real']);
});

const digits = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength }).map((each) => each.join(''));

const number = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constant('0'),
      digits(20).map((each) => each.replace(/^0+(?=\d)/, '')),
    ),
    fraction: fc.option(fc.oneof(digits(20), digits(3), fc.constant('0')), { nil: undefined }),
    exponent: fc.option(fc.oneof(fc.integer({ min: -12, max: 12 }), fc.integer({ min: -420, max: 420 })), {
      nil: undefined,
    }),
  })
  .map(
    ({ sign, whole, fraction, exponent }) =>
      `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent === undefined ? '' : `e${exponent}`}`,
  );
const known = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
);

test('every number is imported as its text or as an equal number', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(number, known), { minLength: 1, maxLength: 30 }), async (numbers) => {
      const lines = numbers.map((each) => `{"v":${each}}`);
      for (const [name, content] of [
        ['all.json', `[${lines.join(',')}]`],
        ['all.csv', `v\n${numbers.join('\n')}\n`],
      ] as const) {
        const stored = await imported(name, content);
        const wrong = numbers.filter((each, index) => !isExact(each, stored[index]!));
        expect(wrong, name).toEqual([]);
      }
      const typed = await Promise.resolve(imported('lone.json', `[${lines[0]}]`));
      expect(isExact(numbers[0]!, typed[0]!), numbers[0]).toBe(true);
    }),
    { numRuns: 60 * times },
  );
});
