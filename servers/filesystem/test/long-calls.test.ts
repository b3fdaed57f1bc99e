import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Workspace } from './workspace.ts';

// It makes and searches a tree of many thousand files.
vi.setConfig({ testTimeout: 120_000 });

test('every long-running tool reports its progress and stops when it is cancelled', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const base = workspace.root;
  for (let directory = 0; directory < 60; directory++) {
    const path = join(base, 'tree', `d${directory}`, 'e');
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 100; file++) writeFileSync(join(path, `file${file}.ts`), '');
  }
  mkdirSync(join(base, 'wide'));
  for (let file = 0; file < 15_000; file++) writeFileSync(join(base, 'wide', `entry ${file}`), '');
  const large = join(base, 'large.txt');
  writeFileSync(large, 'a line of text\n'.repeat(4_000_000));
  for (let directory = 0; directory < 40; directory++) {
    mkdirSync(join(base, 'some', `d${directory}`), { recursive: true });
    for (let file = 0; file < 100; file++) writeFileSync(join(base, 'some', `d${directory}`, `f${file}`), '');
  }
  const paths = Array.from({ length: 100 }, (_, index) => `tree/d${index % 60}/e/file${index}.ts`);
  const calls: [tool: string, args: Record<string, unknown>][] = [
    ['search_files', { path: '.', pattern: 'nothing' }],
    ['search_text', { path: 'tree', text: 'nothing' }],
    ['search_text', { path: 'tree', text: 'noth+ing', regex: true }],
    ['search_text', { path: large, text: 'nothing' }],
    ['read_text_file', { path: large, offset: 3_999_999 }],
    ['read_multiple_files', { paths }],
    ['list_directory', { path: 'wide' }],
    ['list_directory_with_sizes', { path: 'wide' }],
    ['directory_tree', { path: '.', limit: 50_000 }],
    ['copy_file', { source: large, destination: 'stopped.txt' }],
    ['copy_file', { source: 'some', destination: 'stopped' }],
    ['delete_file', { path: 'wide', recursive: true }],
  ];
  for (const [tool, args] of calls) {
    const controller = new AbortController();
    const call = client.callTool(tool, args, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('Enough')),
    });
    await expect(call, tool).rejects.toThrow('Enough');
  }
  // The entries processed before the cancellation stay copied or deleted.
  expect(readdirSync(join(base, 'stopped'), { recursive: true }).length).toBeLessThan(4_040);
  expect(readdirSync(join(base, 'wide')).length).toBeGreaterThan(10_000);
  expect(existsSync(join(base, 'stopped.txt'))).toBe(false);
  calls.splice(-3, 3, ['copy_file', { source: large, destination: 'copied.txt' }]);
  calls.push(['copy_file', { source: 'some', destination: 'copied' }]);
  calls.push(['delete_file', { path: 'copied', recursive: true }]);
  for (const [tool, args] of calls) {
    const reported: number[] = [];
    const { isError } = await client.callTool(tool, args, { onProgress: (done) => reported.push(done) });
    expect({ tool, isError }).toEqual({ tool, isError: undefined });
    expect(reported.length, tool).toBeGreaterThan(0);
    expect(reported, tool).toEqual(reported.toSorted((a, b) => a - b));
  }
  expect(existsSync(join(base, 'copied'))).toBe(false);
  rmSync(large);
});
