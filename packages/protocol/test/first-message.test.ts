import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { bundlePrograms } from '../../test-kit/src/bundled-program.ts';
import * as messages from './hostile/messages.ts';

// The first message is read and answered before Node's streams are loaded.

// In several files, because `node:http`, which a program over stdio does not load, opens streams.
const directory = mkdtempSync(join(tmpdir(), 'mcp-first-message-'));
const program = join(directory, 'first-message.mjs');
bundlePrograms([fileURLToPath(new URL('fixtures/first-message.ts', import.meta.url))], directory);
afterAll(() => rmSync(directory, { recursive: true, force: true }));
// Node with options opens the streams at once.
const env = { ...process.env, NODE_OPTIONS: '' };
const ping = (id: number) => JSON.stringify(messages.ping(id));
const initialize = JSON.stringify(messages.initialize('2025-11-25', 1));
const stateless = (method: string, params: object = {}) =>
  JSON.stringify(messages.request(1, method, { ...params, _meta: messages.modernMeta() }));

function start(args: string[] = [], nodeOptions: string[] = []): ChildProcess {
  const child = spawn(process.execPath, [...nodeOptions, program, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** What the program answers to these writes, each made when the previous one has been answered. */
async function answers(child: ChildProcess, ...writes: (string | Buffer)[]): Promise<unknown[]> {
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const found: unknown[] = [];
  for (const write of writes.length > 0 ? writes : ['\n']) {
    child.stdin?.write(write);
    for (let line = write.toString().split('\n').length - 1; line > 0; line--) {
      const answer = JSON.parse((await lines.next()).value as string) as { [name: string]: object };
      found.push([answer['id'], answer['error'] ?? Object.keys(answer['result']!)]);
    }
  }
  return found;
}

const initialized = [1, ['protocolVersion', 'capabilities', 'serverInfo']];

test.skipIf(process.platform === 'win32').each([
  ['before streams are open', [], 'false'],
  ['by open streams, if Node has options', ['--enable-source-maps'], 'true'],
])('the first message is answered %s', async (_, nodeOptions, open) => {
  const child = start([], nodeOptions);
  child.stdin!.end(`${stateless('tools/call', { name: 'streams' })}\n`);
  const { result } = JSON.parse(await text(child.stdout!)) as { result: object };
  expect(result).toMatchObject({ content: [{ text: open }] });
});

test('messages after the first one are answered, in the same write and in later ones', async () => {
  const writes = [`${initialize}\n${ping(2)}\n${ping(3)}\n`, `${ping(4)}\n`];
  expect(await answers(start(), ...writes)).toEqual([initialized, [2, []], [3, []], [4, []]]);
});

test.each([
  ['a byte order mark', `\u{feff}${initialize}\n`, initialized],
  ['an empty line', `\r\n${initialize}\n`, initialized],
  ['a carriage return', `${initialize}\r\n`, initialized],
])('the first message is read beside %s', async (_, write, expected) => {
  const child = start();
  child.stdin!.end(write);
  const [line] = (await text(child.stdout!)).split('\n');
  const { id, result } = JSON.parse(line!) as { id: number; result: object };
  expect([id, Object.keys(result)]).toEqual(expected);
});

test.each([
  ['text', 'no message\n', -32700],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), -32700],
])('%s instead of a message is refused, and the next message is answered', async (_, write, code) => {
  const found = await answers(start(), write, `${ping(2)}\n`);
  expect(found).toEqual([
    [undefined, expect.objectContaining({ code })],
    [2, []],
  ]);
});

test('a byte order mark is accepted before the first message alone', async () => {
  const found = await answers(start(), `${initialize}\n`, `\u{feff}${ping(2)}\n`, `${ping(3)}\n`);
  expect(found.slice(1)).toEqual([
    [undefined, expect.objectContaining({ code: -32700 })],
    [3, []],
  ]);
});

test('a first message that is larger than a pipe, and whose parts come one after another, is read', async () => {
  const child = start();
  const long = initialize.replace('"hostile"', JSON.stringify('é'.repeat(100_000)));
  child.stdin!.write(long.slice(0, 10));
  child.stdin!.write(long.slice(10, 90_000));
  expect(await answers(child, `${long.slice(90_000)}\n`)).toEqual([initialized]);
});

test('a first answer that is larger than a pipe arrives whole', async () => {
  expect(await answers(start(), `${stateless('tools/list')}\n`)).toEqual([
    [1, expect.arrayContaining(['tools'])],
  ]);
});

test('what a handler of the first message writes to stdout goes to stderr', async () => {
  const child = start();
  const stderr = text(child.stderr!);
  expect(await answers(child, `${stateless('tools/call', { name: 'log' })}\n`)).toEqual([
    [1, expect.arrayContaining(['content'])],
  ]);
  child.stdin!.end();
  expect(await stderr).toBe('logged\n');
});

test('a program whose client says nothing runs what it has begun', async () => {
  const child = start(['--timer']);
  expect(String((await once(child.stderr!, 'data'))[0])).toBe('timer\n');
});

test('a rejection before the first message is a warning', async () => {
  const child = start(['--reject']);
  const stderr = text(child.stderr!);
  expect(await answers(child, `${initialize}\n`)).toEqual([initialized]);
  child.stdin!.end();
  expect(await stderr).toMatch(/^Unhandled rejection: Error: left\n/);
});

test('an error that is thrown before the first message ends a program', async () => {
  const child = start(['--throw']);
  const stderr = text(child.stderr!);
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await stderr).toMatch(/^Uncaught exception: Error: thrown\n/);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends a program that waits', async (signal) => {
  const child = start(['--timer']);
  await once(child.stderr!, 'data');
  child.kill(signal);
  const waiting = start();
  await once(waiting, 'spawn');
  waiting.kill(signal);
  await Promise.all([once(child, 'exit'), once(waiting, 'exit')]);
});

test.skipIf(process.platform === 'win32').each(['exit', 'SIGTERM'])(
  'a signal before the first message calls a listener of %s',
  async (event) => {
    const child = start([`--listener=${event}`]);
    const lines = createInterface(child.stderr!)[Symbol.asyncIterator]();
    expect(await lines.next()).toMatchObject({ value: 'ready' });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await lines.next()).toMatchObject({ value: 'called' });
  },
);

test('a program ends when its client goes without a message', async () => {
  const child = start();
  child.stdin!.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a program ends when its client closes the pipe of its answers', async () => {
  const child = start();
  child.stdout!.destroy();
  child.stdin!.write(`${initialize}\n`);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  ['a pipe', `printf '%s\\n' "$MESSAGE" | "$@"`, initialized],
  ['a file', `printf '%s\\n' "$MESSAGE" > "$0" && "$@" < "$0"`, initialized],
])('stdin may be %s of a shell', async (_, command, expected) => {
  const shell = ['-c', command, join(directory, 'input'), process.execPath, program];
  const options = { env: { ...env, MESSAGE: initialize } };
  const child = spawn('/bin/sh', shell, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await answers(child)).toEqual([expected]);
});
