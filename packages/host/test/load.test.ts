import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { percentile } from '../src/commands/load/measure-load.ts';
import { program, Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

test('mcp load measures calls', async () => {
  const words = ['load', 'fix.echo', 'text=a', '--concurrency', '3', '--for', '0.2'];
  const { stdout, code } = await workspace.mcp(words);
  expect(stdout).toMatch(
    /^fix\.echo, 3 at a time\n {2}calls +\d+ in 0\.\d s, \d+ per second\n {2}time +p50 \d+\.\d\d ms/,
  );
  expect(code).toBe(0);
  const { ms, calls, errors, memory } = JSON.parse((await workspace.mcp([...words, '--json'])).stdout) as {
    ms: { p50: number; p99: number; max: number };
    calls: number;
    errors: object;
    memory: { after?: { rssBytes: number } };
  };
  expect(calls).toBeGreaterThan(2);
  expect(ms.p50).toBeLessThanOrEqual(ms.p99);
  expect(ms.p99).toBeLessThanOrEqual(ms.max);
  expect(errors).toEqual({});
  if (process.platform !== 'win32') expect(memory.after!.rssBytes).toBeGreaterThan(10e6);
});

test('errors are counted by message', async () => {
  const { stdout, code } = await workspace.mcp(['load', 'fix.fail', '--for', '0.1']);
  expect(stdout).toMatch(
    /\n {2}calls +0 of [1-9]\d* in .*\n(?: {2}memory .*\n)? {2}error +\d+ × It failed\n$/,
  );
  expect(code).toBe(5);
});

test.skipIf(process.platform === 'win32')('Ctrl-C prints what was measured so far', async () => {
  const words = [
    '--config',
    workspace.configuration,
    'load',
    'fix.noisy',
    '--for',
    '600',
    '--log',
    'warning',
  ];
  const child = spawn(process.execPath, [program, ...words], { env: workspace.env });
  const [stdout, exit] = [text(child.stdout), once(child, 'exit')];
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  child.stderr.resume();
  expect(await stdout).toMatch(/^fix\.noisy, 1 at a time\n {2}calls +\d+ in /);
  expect((await exit)[0]).toBe(130);
});

test('wrong options are refused before the first call', async () => {
  for (const [words, message] of [
    [['--concurrency', '0'], 'Invalid --concurrency: "0"; expected a whole number from 1'],
    [['--for', 'x'], 'Invalid --for: "x"; expected a number of seconds'],
  ] as const)
    expect((await workspace.mcp(['load', 'fix.echo', ...words])).stderr).toContain(message);
});

test('a percentile is a time within which this part of the calls was answered', () => {
  const times = Float64Array.from({ length: 200 }, (_, index) => index + 1);
  expect([0.5, 0.99, 1].map((part) => percentile(times, part))).toEqual([100, 198, 200]);
  expect(percentile(Float64Array.from([]), 0.5)).toBeUndefined();
});
