import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { program } from './gateway/gateway-program.ts';

// Each test starts a server several times.
vi.setConfig({ testTimeout: 60_000 });

let directory: TemporaryDirectory;
let lines: string[];
/** The calls that `greeting` has made. */
let made: number;
let clients: Client[];
beforeEach(() => {
  directory = new TemporaryDirectory('dev');
  mkdirSync(join(directory.base, 'node_modules/@mcp'), { recursive: true });
  const protocol = fileURLToPath(new URL('../../protocol', import.meta.url));
  symlinkSync(protocol, join(directory.base, 'node_modules/@mcp/protocol'), 'junction');
  writeFileSync(join(directory.base, 'package.json'), '{"type":"module"}');
  lines = [];
  made = 0;
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  directory[Symbol.dispose]();
});

const source = (greeting: string, more = '') => `
import { defineServer, defineTool } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
${more}
const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => ${greeting} });
await serveStdio(defineServer({ name: 'hello', version: '1.0.0', tools: [hello] }));
`;

const env = () => ({ PATH: process.env['PATH'] ?? '', HOME: directory.base, XDG_STATE_HOME: directory.base });

async function connected(words: readonly string[], options: ClientOptions = {}): Promise<Client> {
  const command = {
    command: process.execPath,
    args: [program, 'dev', ...words],
    env: env(),
    stderr: (line: string) => lines.push(line),
  };
  const client = await Client.connect(serverCommand(command), options);
  clients.push(client);
  return client;
}

/** Resolves when a line is there that matches: the stderr of `mcp dev` may come after an answer on stdout. */
const line = (expected: unknown) =>
  vi.waitFor(() => expect(lines).toContainEqual(expected), { timeout: 15_000, interval: 20 });

const greeting = async (client: Client) => {
  made++;
  const { content } = await client.callTool('hello');
  return (content[0] as { text: string }).text;
};

test.each(['2024-11-05', '2025-11-25', '2026-07-28'])(
  'a client of %s stays connected while the source changes',
  async (revision) => {
    const file = directory.put('server.ts', source('"one"'));
    const client = await connected([file], { revision });
    expect(await greeting(client)).toBe('one');
    await line(expect.stringMatching(/^tools\/call hello: [\d.]+ ms$/));

    writeFileSync(file, source('"two"'));
    await vi.waitFor(async () => expect(await greeting(client)).toBe('two'), {
      timeout: 15_000,
      interval: 50,
    });
    await line('Restarting: a source has changed');

    writeFileSync(file, source('"three'));
    await vi.waitFor(() => expect(greeting(client)).rejects.toThrow('SyntaxError'), {
      timeout: 15_000,
      interval: 50,
    });
    await line(expect.stringMatching(/^tools\/call hello: failed after \d.* ms: .*SyntaxError/));

    writeFileSync(file, source('"four"'));
    await vi.waitFor(async () => expect(await greeting(client)).toBe('four'), {
      timeout: 15_000,
      interval: 50,
    });
  },
);

test('files in new directories are watched, and installed ones are not', async () => {
  const file = directory.put('server.ts', source('"one"'));
  const client = await connected([file]);
  expect(await greeting(client)).toBe('one');
  for (const name of ['text', 'node_modules']) mkdirSync(join(directory.root, name));
  writeFileSync(join(directory.root, 'text/words.ts'), 'export const word = "two";\n');
  writeFileSync(file, source('word', 'import { word } from "./text/words.ts";'));
  await vi.waitFor(async () => expect(await greeting(client)).toBe('two'), { timeout: 15_000, interval: 50 });
  // The lines come in order: once those of all calls are there, so are those of the restarts before them.
  const restarts = async () => {
    const count = (start: string) => lines.filter((each) => each.startsWith(start)).length;
    await vi.waitFor(() => expect(count('tools/call')).toBe(made), { timeout: 15_000, interval: 20 });
    return count('Restarting');
  };
  const before = await restarts();
  writeFileSync(join(directory.root, 'node_modules/x.ts'), '');
  writeFileSync(join(directory.root, 'text/words.ts'), 'export const word = "three";\n');
  await vi.waitFor(async () => expect(await greeting(client)).toBe('three'), {
    timeout: 15_000,
    interval: 50,
  });
  expect(await restarts()).toBe(before + 1);
});

test('clients hear that the list has changed', async () => {
  const file = directory.put('server.ts', source('"one"'));
  const client = await connected([file]);
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['hello']);
  const changed = new Promise<void>((resolve) => void client.watchList('tools', resolve));
  writeFileSync(file, source('"one"').replace("name: 'hello', description", "name: 'bye', description"));
  await changed;
  await vi.waitFor(async () => expect((await client.listTools()).map(({ name }) => name)).toEqual(['bye']), {
    timeout: 15_000,
    interval: 50,
  });
});

test('a command after -- is served as it is', async () => {
  const file = directory.put('server.ts', source('process.argv[2]'));
  const client = await connected(['--watch', directory.base, '--', process.execPath, file, 'given']);
  expect(await greeting(client)).toBe('given');
});

test.each([
  [['nothing.ts'], 'No such file: "nothing.ts"'],
  [[], 'Missing file: which server do you write?'],
  [['--http', 'x'], 'Missing file'],
])('mcp dev %j is refused', async (words, message) => {
  const { code, stderr } = await runProgram(program, ['dev', ...words], { env: env(), cwd: directory.base });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
});
