import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { program } from './gateway/gateway-program.ts';

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
    await line(expect.stringMatching(/^Restarting: .*server\.ts has changed$/));

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

const logging = `
import { defineServer, defineTool } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
const hello = defineTool({
  name: 'hello',
  description: 'Greets.',
  run(_, call) {
    call.log('debug', 'a detail');
    call.log('info', 'one greeting');
    return 'one';
  },
});
await serveStdio(defineServer({ name: 'hello', version: '1.0.0', logging: true, tools: [hello] }));
`;

test.each([
  ['2025-11-25', [], false],
  ['2025-11-25', ['--log', 'debug'], true],
  ['2026-07-28', [], false],
  ['2026-07-28', ['--log', 'debug'], true],
] as const)('what the server logs to a client of %s is shown, with %j', async (revision, words, detail) => {
  const client = await connected([directory.put('server.ts', logging), ...words], { revision });
  expect(await greeting(client)).toBe('one');
  await line(expect.stringMatching(/ info one greeting$/));
  expect(lines.some((each) => each.endsWith(' debug a detail'))).toBe(detail);
});

test('a call that waits for a server which a change ends is told so', async () => {
  const file = directory.put('server.ts', source('"one"'));
  const client = await connected([file], { revision: '2025-11-25' });
  expect(await greeting(client)).toBe('one');
  writeFileSync(
    file,
    source('"two"', 'console.error("waits"); await new Promise(() => setInterval(() => {}, 1_000));'),
  );
  await line(expect.stringMatching(/^Restarting: /));
  const waiting = greeting(client);
  waiting.catch(() => undefined);
  await line(expect.stringContaining('waits'));
  writeFileSync(file, source('"three"'));
  await expect(waiting).rejects.toThrow('The server was ended before it had started; send the request again');
  await greets(client, 'three');
  expect(lines).not.toContainEqual(expect.stringMatching(/^Request \d+ failed/));
});

/** Resolves when a call of `hello` returns this text. */
const greets = (client: Client, text: string) =>
  vi.waitFor(async () => expect(await greeting(client)).toBe(text), { timeout: 15_000, interval: 50 });

/**
 * The lines of restarts until now. The lines come in order: once those of all calls are there, so are those
 * of the restarts before them.
 */
const restarts = async () => {
  const linesOf = (start: string) => lines.filter((each) => each.startsWith(start));
  await vi.waitFor(() => expect(linesOf('tools/call')).toHaveLength(made), { timeout: 15_000, interval: 20 });
  return linesOf('Restarting');
};

test('files in new directories are watched, and installed ones are not', async () => {
  const file = directory.put('server.ts', source('"one"'));
  const client = await connected([file]);
  expect(await greeting(client)).toBe('one');
  for (const name of ['text', 'node_modules']) mkdirSync(join(directory.root, name));
  writeFileSync(join(directory.root, 'text/words.ts'), 'export const word = "two";\n');
  writeFileSync(file, source('word', 'import { word } from "./text/words.ts";'));
  await greets(client, 'two');
  const before = await restarts();
  writeFileSync(join(directory.root, 'node_modules/x.ts'), '');
  writeFileSync(join(directory.root, 'text/words.ts'), 'export const word = "three";\n');
  await greets(client, 'three');
  expect(await restarts()).toHaveLength(before.length + 1);
});

test('data, sources of other languages and unchanged sources restart nothing', async () => {
  const file = directory.put('server.ts', source('"one"'));
  const words = directory.put('words.json', '{}');
  const client = await connected([file, '--watch', words]);
  expect(await greeting(client)).toBe('one');
  for (const name of ['a.log', 'data.json', 'db.sqlite-wal', '.server.ts.swp', 'server.ts~', 'other.py'])
    directory.put(name, 'written');
  mkdirSync(join(directory.root, 'data'));
  directory.put('data/notes.md', 'written');
  utimesSync(file, new Date(), new Date());
  writeFileSync(file, source('"one"'));
  expect(await greeting(client)).toBe('one');
  // Events come in order: this change is noticed after the others.
  writeFileSync(words, '{ "named": "with --watch" }');
  await line(`Restarting: ${words} has changed`);
  expect(await restarts()).toEqual([`Restarting: ${words} has changed`]);
  // A save that puts another file in the place of the old one.
  writeFileSync(join(directory.root, 'new'), source('"two"'));
  renameSync(join(directory.root, 'new'), file);
  await line(`Restarting: ${file} has changed`);
  expect(await greeting(client)).toBe('two');
  expect(await restarts()).toEqual([words, file].map((path) => `Restarting: ${path} has changed`));
});

test('a server that writes its own sources is restarted ever more slowly', async () => {
  const own = join(directory.root, 'own.ts');
  const write = `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(own)}, 'export const at = ' + Date.now());`;
  const client = await connected([directory.put('server.ts', source('"one"', write))]);
  // As hosts do: the list is read again after each change of it.
  await client.watchList('tools', () => void client.listTools().catch(() => {}));
  await client.listTools();
  await line(
    expect.stringMatching(/^Sources change soon after each restart, the last time ".*own\.ts"; further/),
  );
  const times: number[] = [];
  await vi.waitFor(
    () => {
      const { length } = lines.filter((each) => each.startsWith('Restarting'));
      while (times.length < length) times.push(performance.now());
      expect(length).toBeGreaterThanOrEqual(7);
    },
    { timeout: 30_000, interval: 20 },
  );
  expect(times[6]! - times[5]!).toBeGreaterThan(1_500);
  expect(await greeting(client)).toBe('one');
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

test.each<readonly [readonly string[], string]>([
  [['nothing.ts'], 'No such file or directory: "nothing.ts"\n'],
  [['nothing/server.ts'], 'No such file or directory: "nothing/server.ts"\n'],
  [['directory.ts'], '"directory.ts" is not a file; name the file of the server\n'],
  ...(process.platform === 'win32' ? [] : [[['circle.ts'], '"circle.ts" cannot be read: ELOOP'] as const]),
  [['server.py'], 'Node does not run "server.py"; name its command: mcp dev -- python3 server.py\n'],
  [['--watch', 'nothing', 'server.mjs'], 'No such file or directory: "nothing"\n'],
  [[], 'Missing file: which server do you write?'],
  [['--http', 'x'], 'Missing file'],
])('mcp dev %j is refused', async (words, message) => {
  mkdirSync(join(directory.root, 'directory.ts'));
  if (process.platform !== 'win32')
    symlinkSync(join(directory.root, 'circle.ts'), join(directory.root, 'circle.ts'));
  for (const name of ['server.py', 'server.mjs']) directory.put(name, '');
  const { code, stderr } = await runProgram(program, ['dev', ...words], { env: env(), cwd: directory.root });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  expect(stderr).not.toContain('    at ');
});

test.each([
  [
    'a command that does not exist',
    ['--', 'no-such-command'],
    'Cannot start "no-such-command": there is no such command',
  ],
  [
    'a server that ends when it starts',
    ['crash.mjs'],
    'ended: exit code 3; on stderr it wrote:\nOut of order',
  ],
])('a client is told of %s, without a stack of ours', async (_, words, message) => {
  const crash = directory.put('crash.mjs', 'console.error("Out of order"); process.exit(3);');
  const client = await connected(words.map((word) => (word === 'crash.mjs' ? crash : word)));
  await expect(client.callTool('hello')).rejects.toThrow(message);
  await line(expect.stringContaining(message.split('\n')[0]!));
  expect(lines.join('\n')).not.toMatch(/^ {4}at /m);
  writeFileSync(crash, source('"mended"'));
  if (words.length === 1) await greets(client, 'mended');
});
