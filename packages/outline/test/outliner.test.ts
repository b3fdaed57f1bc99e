import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, test, vi } from 'vitest';
import {
  type LanguageName,
  languageNames,
  type Outline,
  OutlineError,
  Outliner,
  symbolsAt,
} from '../src/index.ts';

// Bounds are seconds, and a busy machine takes some times as long.
vi.setConfig({ testTimeout: 120_000 });

const outliner = new Outliner();
afterAll(() => outliner[Symbol.asyncDispose]());

test('the symbols of a line lead from the outermost to the innermost', async () => {
  const text =
    'class A {\n  run() {\n    return () => {\n    };\n  }\n}\n\nfunction b() {} function c() {}\n';
  const outline = await outliner.outlineOf(text, 'typescript');
  const names = (line: number) => symbolsAt(outline, line).map(({ name }) => name);
  expect([0, 1, 3, 5, 6, 7, 8, 9].map(names)).toEqual([
    [],
    ['A'],
    ['A', 'run'],
    ['A', 'run'],
    ['A'],
    [],
    ['c'],
    [],
  ]);
});

test('texts are parsed in their order, by one process', async () => {
  const texts = Array.from({ length: 50 }, (_, index) => `function f${index}() {}\n`);
  const outlines = await Promise.all(texts.map((text) => outliner.outlineOf(text, 'typescript')));
  expect(outlines.map(({ symbols: [symbol] }) => symbol?.name)).toEqual(texts.map((_, index) => `f${index}`));
});

test('bytes are read as UTF-8, also where they are not', async () => {
  const bytes = Buffer.concat([
    Buffer.from('// é 🎉\nfunction a'),
    Buffer.from([0xff, 0xfe, 0xc3]),
    Buffer.from('() {\n}\nfunction b() {}\n'),
  ]);
  const { symbols } = await outliner.outlineOf(bytes, 'javascript');
  expect(symbols.at(-1)).toEqual({ name: 'b', kind: 'function', startLine: 4, endLine: 4, children: [] });
});

test('symbols beside an error are found', async () => {
  const { symbols, hasErrors } = await outliner.outlineOf(
    'function a() {}\n)))\nfunction b() {}\n',
    'javascript',
  );
  expect(hasErrors).toBe(true);
  expect(symbols.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('names are one line, and not longer than 200 characters', async () => {
  const { symbols } = await outliner.outlineOf(`{"a\tb": 1, "${'x'.repeat(1000)}": 2}`, 'json');
  expect(symbols.map(({ name }) => name)).toEqual(['a b', `${'x'.repeat(200)}…`]);
});

test('an outline has no more symbols than maxSymbols', async () => {
  await using small = new Outliner({ maxSymbols: 3 });
  const text = Array.from({ length: 5 }, (_, index) => `function f${index}() {}\n`).join('');
  const outline = await small.outlineOf(text, 'javascript');
  expect(outline).toMatchObject({ count: 3, isCut: true, hasErrors: false });
  expect(outline.symbols.map(({ name }) => name)).toEqual(['f0', 'f1', 'f2']);
});

test('a signal ends a parse and one that waits', async () => {
  const reason = new Error('Not needed');
  await expect(outliner.outlineOf('', 'json', AbortSignal.abort(reason))).rejects.toBe(reason);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const parse = outliner.outlineOf('a+'.repeat(2e6), 'typescript', running.signal);
  const next = outliner.outlineOf('a+'.repeat(2e6), 'typescript', waiting.signal);
  await setImmediate();
  running.abort(reason);
  waiting.abort(reason);
  await expect(parse).rejects.toBe(reason);
  await expect(next).rejects.toBe(reason);
  expect((await outliner.outlineOf('const a = 1;', 'typescript')).count).toBe(1);
});

test('after its process was killed, the next text gets another', async () => {
  const parsers = () =>
    execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('parser/main'))
      .map((line) => Number.parseInt(line, 10));
  await using own = new Outliner();
  const others = parsers();
  await own.outlineOf('const a = 1;', 'typescript');
  const [pid] = parsers().filter((each) => !others.includes(each));
  process.kill(pid!, 'SIGKILL');
  // A process exists until its exit was noticed here.
  await vi.waitFor(() => expect(() => process.kill(pid!, 0)).toThrow('ESRCH'));
  expect((await own.outlineOf('const a = 1;', 'typescript')).count).toBe(1);
});

describe('hostile texts', () => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('');
  const texts: readonly (readonly [name: string, language: LanguageName, text: string])[] = [
    ['a line of 2 MB', 'typescript', 'a+'.repeat(1e6)],
    ['100,000 brackets', 'typescript', '['.repeat(1e5)],
    ...languageNames.flatMap((language) =>
      ['[', '(', 'a<', '"', '`${', '/*', '\0'].map(
        (part) => [`4,000 ${JSON.stringify(part)}`, language, part.repeat(4_000)] as const,
      ),
    ),
    ['balanced brackets', 'json', `${'['.repeat(1e5)}${']'.repeat(1e5)}`],
    ['keys in keys', 'json', `${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`],
    ['200,000 keys', 'json', `{${'"a":1,'.repeat(2e5)}"b":1}`],
    ['functions in functions', 'javascript', `${'function a(){'.repeat(2e4)}${'}'.repeat(2e4)}`],
    ['quotes in quotes', 'markdown', '>'.repeat(1e5)],
    ['lists in lists', 'markdown', '- '.repeat(1e5)],
    ['lists in lists, line by line', 'markdown', lines(400, (index) => `${'  '.repeat(index)}- a\n`)],
    ['100,000 headings', 'markdown', '# a\n'.repeat(1e5)],
    ['blocks by their indentation', 'python', lines(2000, (index) => `${' '.repeat(index)}if a:\n`)],
    ['a raw string without an end', 'rust', `r${'#'.repeat(1e5)}"`],
  ];

  test('have an outline, or an error that says why not, and the event loop stays free', async () => {
    let latest = performance.now();
    let longest = 0;
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - latest);
      latest = performance.now();
    }, 5);
    for (const [name, language, text] of texts) {
      const result: Outline | Error = await outliner.outlineOf(text, language).catch((error: Error) => error);
      const label = `${language}: ${name}`;
      if (result instanceof Error) {
        expect(result, label).toBeInstanceOf(OutlineError);
        expect(result.message, label).toMatch(
          /^The text has no outline: its (parse took more than 5000 ms|parse failed: .|blocks are nested)/,
        );
      } else {
        expect(result.count, label).toBeLessThanOrEqual(20_000);
        // What an outline is used for works on it.
        expect(JSON.stringify(result).length, label).toBeGreaterThan(0);
        expect(symbolsAt(result, 1).length, label).toBeLessThanOrEqual(65);
      }
    }
    clearInterval(watch);
    expect(longest).toBeLessThan(2_000);
    expect((await outliner.outlineOf('function a() {}', 'javascript')).count).toBe(1);
  });

  test('a text of 10 MB is refused', async () => {
    const refused = (unit: string) =>
      `The text has no outline: it has 17000000 ${unit}; the maximum is 4194304 characters`;
    await expect(outliner.outlineOf('a'.repeat(17e6), 'c')).rejects.toThrow(refused('bytes'));
    await expect(outliner.outlineOf('a'.repeat(1e7), 'c')).rejects.toThrow('it has 10000000 characters');
  });

  test('a parse that takes too long ends, and the next text gets another process', async () => {
    await using quick = new Outliner({ timeoutMs: 1 });
    await expect(quick.outlineOf('a+'.repeat(2e6), 'typescript')).rejects.toThrow(
      'The text has no outline: its parse took more than 1 ms',
    );
    await using usual = new Outliner();
    expect((await usual.outlineOf('a;', 'typescript')).count).toBe(0);
  });

  test('a parse that needs too much memory ends, and the next text gets another process', async () => {
    await using large = new Outliner({ maxMemory: 64 * 1024 * 1024, timeoutMs: 100_000 });
    await expect(large.outlineOf('a+'.repeat(3e5), 'typescript')).rejects.toThrow('its parse failed');
    expect((await large.outlineOf('function a() {}', 'javascript')).count).toBe(1);
  });
});
