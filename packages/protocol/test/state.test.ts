import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Call, defineServer, defineTool } from '@mcp/protocol';
import { callerState, fileState, memoryState, type StateStore } from '@mcp/protocol/state';
import { connect } from '@mcp/protocol/testing';
import * as z from 'zod';
import { fixtureProgram } from './fixtures/fixture-program.ts';

// Some tests start several processes.
vi.setConfig({ testTimeout: 120_000 });

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'state-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const stores: readonly (readonly [name: string, make: () => StateStore])[] = [
  ['memory', () => memoryState()],
  ['files', () => fileState(join(directory, 'not', 'yet', 'there'))],
];

/** Resolves when a store has no value of this key any more. */
const gone = (store: StateStore, key: string) =>
  vi.waitFor(async () => expect(await store.get(key)).toBeUndefined(), { timeout: 5_000, interval: 5 });

describe.each(stores)('a state in %s', (_, make) => {
  test('a value is kept until it is deleted', async () => {
    const state = make();
    expect(await state.get('a')).toBeUndefined();
    await state.set('a', { list: [1, 'ü\u0000\n', null] });
    await state.set('b', false);
    expect(await state.get('a')).toEqual({ list: [1, 'ü\u0000\n', null] });
    await state.set('a', 'other');
    expect(await state.get('a')).toBe('other');
    await state.delete('a');
    await state.delete('a');
    expect(await state.get('a')).toBeUndefined();
    expect(await state.get('b')).toBe(false);
  });

  test('a value that is changed after it was stored or read stays as it was stored', async () => {
    const state = make();
    const value = { list: [1] };
    await state.set('a', value);
    value.list.push(2);
    ((await state.get('a')) as typeof value).list.push(3);
    expect(await state.get('a')).toEqual({ list: [1] });
  });

  test.each(['../a', '..', 'a/b', 'a\\b', '%2e', 'CON', '__proto__', 'constructor', ' ', 'k'.repeat(4_096)])(
    'any text is a key: %j',
    async (key) => {
      const state = make();
      expect(await state.get(key)).toBeUndefined();
      await state.set(key, 1);
      expect(await state.increment(key)).toBe(2);
    },
  );

  test('a value expires, and a new one has a lifetime of its own', async () => {
    const state = make();
    await state.set('a', 1, { ttlMs: 30 });
    await state.set('b', 1, { ttlMs: 30 });
    await state.set('b', 2);
    await gone(state, 'a');
    expect(await state.get('b')).toBe(2);
    expect(await state.increment('a')).toBe(1);
  });

  test('the lifetime of a number counts from its creation', async () => {
    const state = make();
    await state.increment('a', 1, { ttlMs: 100 });
    await vi.waitFor(async () => expect(await state.increment('a', 1, { ttlMs: 60_000 })).toBe(1), {
      timeout: 5_000,
      interval: 20,
    });
  });

  test('no increment of many at once is lost', async () => {
    const state = make();
    const sums = await Promise.all(Array.from({ length: 50 }, () => state.increment('a', 2)));
    expect(sums.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (__, i) => 2 * (i + 1)));
    expect(await state.increment('a', -100)).toBe(0);
    expect(await state.increment('half', 0.5)).toBe(0.5);
  });

  test.each<readonly [what: string, act: (state: StateStore) => Promise<unknown>, message: string]>([
    ['an empty key', (state) => state.get(''), 'Invalid key of a state: 0 characters'],
    ['a key that is no text', (state) => state.get(1 as never), 'Invalid key of a state: number'],
    ['a long key', (state) => state.set('k'.repeat(4_097), 1), 'Invalid key of a state: 4097 characters'],
    ['undefined', (state) => state.set('a', undefined), 'Invalid value of the state "a": undefined'],
    ['a function', (state) => state.set('a', () => 1), 'Invalid value of the state "a": function'],
    ['a bigint', (state) => state.set('a', 1n), 'Invalid value of the state "a": Do not know how to'],
    ['a long value', (state) => state.set('a', 'x'.repeat(2 ** 20)), '1048578 characters as JSON; at most'],
    ['a lifetime of 0', (state) => state.set('a', 1, { ttlMs: 0 }), 'Invalid ttlMs: 0'],
    [
      'a lifetime that is no number',
      (state) => state.increment('a', 1, { ttlMs: NaN }),
      'Invalid ttlMs: NaN',
    ],
    ['a text that is incremented', (state) => state.increment('text'), 'its value is no number'],
    ['a sum that is not exact', (state) => state.increment('a', 2 ** 53), 'the sum is not exact'],
    ['a step that is no number', (state) => state.increment('a', NaN), 'the sum is not exact'],
  ])('%s is refused, and changes nothing', async (__, act, message) => {
    const state = make();
    await state.set('text', 'text');
    await expect(act(state)).rejects.toThrow(message);
    expect(await state.get('a')).toBeUndefined();
    expect(await state.get('text')).toBe('text');
  });
});

test.each([0, -1, 1.5, NaN, Infinity, '5' as never])('a limit that is no number of values: %j', (limit) => {
  expect(() => memoryState({ maxLength: limit })).toThrow('Invalid maxLength of a state');
  expect(() => fileState(directory, { maxEntries: limit })).toThrow('Invalid maxEntries of a state');
});

test('a state in memory that is full refuses values, keeps others, and forgets expired ones', async () => {
  const state = memoryState({ maxLength: 200 });
  await state.set('a', 'x'.repeat(100), { ttlMs: 20 });
  await state.set('b', 'short');
  await expect(state.set('c', 'x'.repeat(100))).rejects.toThrow('it has at most 200 characters');
  await expect(state.set('b', 'x'.repeat(100))).rejects.toThrow('it has at most 200 characters');
  expect(await state.get('b')).toBe('short');
  await vi.waitFor(() => state.set('c', 'x'.repeat(100)), { timeout: 5_000, interval: 100 });
  expect(await state.get('b')).toBe('short');
});

describe('a state in files', () => {
  test('is there for the next process, and only for its user', async () => {
    await fileState(directory).set('a', [1]);
    expect(await fileState(directory).get('a')).toEqual([1]);
    for (const name of readdirSync(directory))
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  });

  test('that is full refuses new values, and takes them when others are deleted', async () => {
    const state = fileState(directory, { maxEntries: 2 });
    await state.set('a', 1);
    await state.set('b', 1);
    await expect(state.set('c', 1)).rejects.toThrow('it has at most 2 values');
    await state.set('b', 2);
    await state.delete('a');
    await state.set('c', 1);
    expect(await state.get('b')).toBe(2);
  });

  test('that is full takes no value of many that come at once, in one process or several', async () => {
    const stores = [1, 2, 3].map(() => fileState(directory, { maxEntries: 5 }));
    const setting = Array.from({ length: 30 }, (_, i) => stores[i % 3]!.set(`a${i}`, i));
    const results = await Promise.allSettled(setting);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(readdirSync(directory)).toHaveLength(5);
  });

  test('does not confuse keys that UTF-8 cannot tell apart', async () => {
    const state = fileState(directory);
    await state.set('\ud800', 1);
    expect(await state.get('\ud801')).toBeUndefined();
    expect(await state.get('\ufffd')).toBeUndefined();
    expect(await state.get('\ud800')).toBe(1);
  });

  test('names a file that cannot be read or written', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    for (const below of [file, join(file, 'below')]) {
      const state = fileState(below);
      await expect(state.set('a', 1)).rejects.toThrow(`"${below}`);
      await expect(state.set('a', 1)).rejects.toThrow(/^Cannot (read|write) the file of a state: ".*": E/);
      await expect(state.get('a')).rejects.toThrow(/^Cannot read the file of a state: ".*": ENOTDIR/);
    }
    const state = fileState(directory);
    await state.set('a', 1);
    const [name] = readdirSync(directory).filter((each) => each.endsWith('.json'));
    rmSync(join(directory, name!));
    mkdirSync(join(directory, name!));
    for (const act of [() => state.get('a'), () => state.set('a', 2), () => state.delete('a')])
      await expect(act()).rejects.toThrow('Cannot read the file of a state: ');
  });

  // The user root may write everywhere.
  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'names a directory that cannot be written',
    async () => {
      chmodSync(directory, 0o500);
      await expect(fileState(directory).set('a', 1)).rejects.toThrow(
        /^Cannot write the file of a state: ".*": EACCES/,
      );
      chmodSync(directory, 0o700);
    },
  );

  test('that is full takes values when others have expired', async () => {
    const state = fileState(directory, { maxEntries: 1 });
    await state.set('a', 1, { ttlMs: 1 });
    await gone(state, 'a');
    await vi.waitFor(() => state.set('c', 1), { timeout: 60_000, interval: 200 });
    expect(readdirSync(directory).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });

  test('deletes expired files and old temporary files when a process writes for the first time', async () => {
    await fileState(directory).set('a', 1, { ttlMs: 1 });
    const left = join(directory, 'a.json.1-0123abcd.tmp');
    writeFileSync(left, '{');
    utimesSync(left, 0, 0);
    await fileState(directory).set('b', 1);
    await vi.waitFor(() => expect(readdirSync(directory)).toHaveLength(1), { timeout: 5_000, interval: 5 });
  });

  test.each([
    ['no text', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no key', '{"value":1}'],
    ['an expiry that is a text', '{"key":"a","value":1,"expiresAt":"x"}'],
    ['another key', '{"key":"b","value":1}'],
    ['a value that is too long', `{"key":"a","value":"${'x'.repeat(5_000_000)}"}`],
  ])('names a damaged file: %s', async (_, text) => {
    const state = fileState(directory);
    await state.set('a', 1);
    const [name] = readdirSync(directory);
    writeFileSync(join(directory, name!), text);
    await expect(state.get('a')).rejects.toThrow(`Damaged file of a state: "${join(directory, name!)}"`);
    await expect(state.set('a', 2)).rejects.toThrow('Damaged file');
  });

  test('loses no increment of several processes, one of which is killed', async () => {
    const program = fixtureProgram('state-increments.ts');
    const run = (times: number, timeout = 0) =>
      promisify(execFile)(process.execPath, [program, directory, String(times)], {
        timeout,
        killSignal: 'SIGKILL',
      });
    const killed = run(1_000_000, 1_500).catch(() => undefined);
    await Promise.all([run(40), run(40), run(40)]);
    await killed;
    // The killed process has stored the sums that it logged, and perhaps one more.
    const state = fileState(directory);
    const logged = Number((await state.get('logged by killed')) ?? 0);
    const others = Number(await state.get('sum')) - logged;
    expect(others).toBeGreaterThanOrEqual(120);
    expect(others).toBeLessThanOrEqual(121);
  });
});

describe('the state of a caller', () => {
  const state = memoryState();
  const count = defineTool({
    name: 'count',
    description: 'Counts.',
    inputSchema: z.object({ key: z.string() }),
    run: async ({ key }, call) => String(await callerState(state, call).increment(key)),
  });
  const server = defineServer({ name: 'counter', version: '1.0.0', tools: [count] });
  const counts = async (principal: string | undefined, key: string) => {
    await using client = await connect(server, principal === undefined ? {} : { caller: { principal } });
    const { content } = await client.callTool('count', { key });
    return (content[0] as { text: string }).text;
  };

  test('belongs to the principal alone, whatever characters are in principals and keys', async () => {
    const given = [undefined, 'null', 'a', 'a"', '"a', 'a" b', 'a\\', 'A', 'ａ'];
    const keys = ['b', '" b', 'b"', ' b', '"'];
    for (const principal of given) for (const key of keys) expect(await counts(principal, key)).toBe('1');
    for (const principal of given) for (const key of keys) expect(await counts(principal, key)).toBe('2');
  });

  test('refuses an empty key', async () => {
    expect(await counts('a', '')).toContain('Invalid key of a state: 0 characters');
    const own = callerState(state, { caller: undefined } as Call<unknown, undefined>);
    await expect(own.get('')).rejects.toThrow('Invalid key');
  });
});
