import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { JsonDirectory } from './json-directory.ts';

function numbers(maxEntries?: number) {
  const directory = new TemporaryDirectory('host-json');
  onTestFinished(() => directory[Symbol.dispose]());
  const path = join(directory.root, 'numbers');
  const warnings: string[] = [];
  const isValid = (value: unknown): value is number => typeof value === 'number';
  const open = () =>
    new JsonDirectory<number>(path, {
      isValid,
      warn: (message) => warnings.push(message),
      ...(maxEntries !== undefined && { maxEntries }),
    });
  return { path, warnings, open };
}

const module = fileURLToPath(new URL('json-directory.ts', import.meta.url));

test('four processes that write at the same time lose none of their values', async () => {
  const { path, open } = numbers();
  const code = `
    const { JsonDirectory } = await import(${JSON.stringify(module)});
    const values = new JsonDirectory(${JSON.stringify(path)}, { isValid: () => true, warn: console.error });
    const own = process.argv[1];
    process.stdin.once('data', () => {
      for (let n = 0; n < 50; n++) values.set(own + n, n), values.set('shared', n);
      process.exit();
    });
    process.stdout.write('ready');`;
  const children = ['a', 'b', 'c', 'd'].map((own) =>
    spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code, own], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const exits = children.map((child) => once(child, 'exit'));
  for (const child of children) child.stdin.write('go');
  expect((await Promise.all(exits)).map(([exitCode]) => exitCode as unknown)).toEqual([0, 0, 0, 0]);
  const values = open();
  expect(values.entries()).toHaveLength(201);
  expect(values.get('c17')).toBe(17);
  expect(values.get('shared')).toBe(49);
  expect(readdirSync(path).filter((name) => !name.endsWith('.json'))).toEqual([]);
});

test('a value that cannot be written is kept for this process, with one warning', () => {
  const { path, open, warnings } = numbers();
  // Puts a file where the directory should be, so that even root cannot write a value.
  writeFileSync(path, '');
  const values = open();
  values.set('a', 1);
  values.set('b', 2);
  expect([values.get('a'), values.get('b')]).toEqual([1, 2]);
  expect(values.entries()).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  values.delete('a');
  expect(values.get('a')).toBeUndefined();
  expect(warnings).toContain(`Cannot write to "${path}": EEXIST: file already exists`);
});

test('a value that is not valid is set aside, and the others stay', () => {
  const { path, open, warnings } = numbers();
  const values = open();
  values.set('a', 1);
  const [file] = readdirSync(path);
  values.set('b', 2);
  writeFileSync(join(path, file!), '{"key":"a","value":"text"}');
  expect([values.get('a'), values.get('b')]).toEqual([undefined, 2]);
  expect(warnings).toEqual([
    `"${join(path, file!)}" is damaged; it was moved to "${join(path, file!)}.damaged"`,
  ]);
});

test('the oldest values are deleted above the limit', () => {
  const { path, open } = numbers(10);
  const values = open();
  mkdirSync(path);
  for (let n = 0; n < 10; n++) {
    values.set(`k${n}`, n);
    for (const name of readdirSync(path)) utimesSync(join(path, name), n, n);
  }
  const oldest = readdirSync(path).toSorted()[0]!;
  utimesSync(join(path, oldest), 1, 1);
  values.set('new', 10);
  expect(values.entries()).toHaveLength(9);
  expect(values.get('new')).toBe(10);
  expect(readdirSync(path)).not.toContain(oldest);
});
