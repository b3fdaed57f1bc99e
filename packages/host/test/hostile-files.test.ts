import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { TemporaryDirectory } from '@mcp/test-kit';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { wellKnownFiles } from '../src/config/formats/well-known-files.ts';
import { program, quoted } from './workspace.ts';

// They read files of many megabytes.
vi.setConfig({ testTimeout: 120_000 });

// Whatever a directory contains in the place of a file that mcp reads, mcp answers soon, and names the file.

const directory = new TemporaryDirectory('hostile-files');
const sockets: Server[] = [];
afterAll(() => {
  for (const each of sockets) each.close();
  directory[Symbol.dispose]();
});
const home = join(directory.base, 'home');
const env = { PATH: process.env['PATH'] ?? '', HOME: home };

const giga = 2 ** 30;

interface Kind {
  /** The part of the message about it; undefined for a name that counts as a missing file. */
  readonly says: string | undefined;
  /** Whether it is a regular file with invalid content. */
  readonly isFile?: boolean;
  put(path: string): Promise<void> | void;
}

const kinds: Readonly<Record<string, Kind>> = {
  '/dev/zero': { says: 'it is a device', put: (path) => symlinkSync('/dev/zero', path) },
  'a terminal': { says: 'it is a device', put: (path) => symlinkSync('/dev/ptmx', path) },
  'a pipe': { says: 'it is a pipe', put: (path) => void execFileSync('mkfifo', [path]) },
  'a link to a pipe': {
    says: 'it is a pipe',
    put(path) {
      execFileSync('mkfifo', [`${path}.pipe`]);
      symlinkSync(`${path}.pipe`, path);
    },
  },
  'a directory': { says: 'it is a directory', put: (path) => mkdirSync(path) },
  'a socket': {
    says: 'it is a socket',
    async put(path) {
      const server = createServer();
      sockets.push(server);
      // The address of a socket may have about 100 characters.
      const initialDirectory = process.cwd();
      process.chdir(dirname(path));
      server.listen(path.slice(dirname(path).length + 1));
      process.chdir(initialDirectory);
      await once(server, 'listening');
    },
  },
  'a file of 8 GiB': {
    says: 'it has more than',
    put(path) {
      writeFileSync(path, '');
      truncateSync(path, 8 * giga);
    },
  },
  'a link to itself': { says: 'ELOOP', put: (path) => symlinkSync(path, path) },
  'a link to nothing': { says: undefined, put: (path) => symlinkSync(`${path}.none`, path) },
  'a million brackets': {
    says: 'nested',
    isFile: true,
    put: (path) => writeFileSync(path, `${path.endsWith('.toml') ? 'a = ' : ''}${'['.repeat(1_000_000)}`),
  },
  '100,000 nested objects': {
    says: undefined,
    isFile: true,
    put: (path) =>
      writeFileSync(path, `{"mcpServers": {"s": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_002)}`),
  },
};

const limitMs = 60_000;

/** Runs mcp in the directory; one that does not end in time is killed, and has the exit code null. */
async function mcp(args: readonly string[], cwd: string, input = '') {
  const child = spawn(process.execPath, [program, ...args], { env, cwd, stdio: 'pipe' });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  clearTimeout(timer);
  return { stdout, stderr, code };
}

async function place(kind: Kind, name: string, paths: readonly string[]): Promise<string> {
  const root = join(directory.root, name);
  for (const path of paths) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    await kind.put(file);
  }
  return root;
}

const projectFiles = wellKnownFiles({ home: '/home', cwd: '/', env: {}, platform: 'linux' })
  .filter(({ scope }) => scope === 'project')
  .map(({ path }) => path.slice(1));

describe.skipIf(process.platform === 'win32')('in the place of a file that mcp reads', () => {
  describe.each(Object.entries(kinds))('%s', (title, kind) => {
    const name = title.replaceAll(/\W/g, '-');

    test('as the configuration of each host ends no command, and is named', async () => {
      const root = await place(kind, name, projectFiles);
      const { stdout, stderr, code } = await mcp(['list', '--json'], root);
      expect(stderr).toBe('');
      const { problems } = JSON.parse(stdout) as { problems: { file: string; message: string }[] };
      const expected = kind.says === undefined ? [] : projectFiles.map((path) => join(root, path));
      expect({ code, files: problems.map(({ file }) => file) }).toEqual({
        code: problems.length > 0 ? 1 : 0,
        files: title === '100,000 nested objects' ? expect.any(Array) : expected,
      });
      for (const { file, message } of problems) {
        expect(message).toContain(file);
        expect(message).toContain(kind.says ?? '');
      }
      expect((await mcp(['shell'], root, 'exit\n')).code).toBe(0);
      expect((await mcp(['__complete', 'call', ''], root)).code).toBe(0);
    });

    // mcp waits for a pipe that the user names, until Ctrl-C.
    const named = kind.says === 'it is a pipe' ? [] : ['key=@file', '--from', '--config'];

    test.each(['envFile', '{file:}', ...named])('as a file of %s', async (where) => {
      const root = await place(kind, `${name}-value`, where === 'envFile' ? ['it'] : []);
      const commands: Readonly<Record<string, readonly string[]>> = {
        envFile: ['config', 'explain', 'env'],
        '{file:}': ['config', 'explain', 'opencode'],
        'key=@file': ['call', 'cat.cat', 'text=@it'],
        '--from': ['call', '--from', 'openai', '@it'],
        '--config': ['--config', 'it', 'list'],
      };
      const cat = { command: process.execPath, args: [directory.put('cat.cjs', catServer)] };
      writeFileSync(
        join(root, '.mcp.json'),
        JSON.stringify({ mcpServers: { env: { command: 'x', envFile: 'it' }, cat } }),
      );
      writeFileSync(
        join(root, 'opencode.json'),
        JSON.stringify({ mcp: { opencode: { type: 'local', command: ['x', '{file:it}'] } } }),
      );
      const { code, stdout, stderr } = await mcp(['--yes', ...commands[where]!], root);
      expect({ code, stderr }).toEqual({ code: expect.any(Number) as number, stderr });
      expect(stderr).not.toContain('Maximum call stack');
      if (where === '{file:}' || kind.says === undefined || kind.isFile) return;
      expect(stdout + stderr).toContain(kind.says);
    });
  });
});

const catServer = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const results = {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'cat', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'cat', inputSchema }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: params.arguments.text }] }),
  };
  if (id === undefined) return;
  const result = results[method]?.();
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }));
});
`;

test.skipIf(process.platform === 'win32')(
  'a pipe that the command line names is read to its end',
  async () => {
    const root = await place(kinds['a link to nothing']!, 'pipes', ['none']);
    const cat = { command: process.execPath, args: [directory.put('cat.cjs', catServer)] };
    execFileSync('mkfifo', [join(root, 'late')]);
    const run = (script: string) =>
      execFileSync(
        'bash',
        ['-c', script.replaceAll('MCP', [process.execPath, program].map(quoted).join(' '))],
        {
          cwd: root,
          env: { ...env, CONFIG: JSON.stringify({ mcpServers: { cat } }) },
          encoding: 'utf8',
          timeout: limitMs,
        },
      );
    expect(run('MCP --config <(echo "$CONFIG") call cat.cat text=@<(sleep 0.2; echo milk)')).toBe('milk\n\n');
    expect(
      run('(sleep 0.3; echo bread > late) & MCP --config <(echo "$CONFIG") call cat.cat text=@late'),
    ).toBe('bread\n\n');
  },
);

test('a file that the command line names is opened once: another one may have its name at the next time', () => {
  const file = directory.put('once.json', '{"mcpServers":{}}');
  const trace = join(directory.base, 'trace.json');
  const tracing = ['--trace-event-categories=node.fs', `--trace-event-file-pattern=${trace}`];
  execFileSync(process.execPath, [...tracing, program, '--config', file, 'list'], { env, stdio: 'ignore' });
  const opened = readFileSync(trace, 'utf8').split(`"path":${JSON.stringify(file)}`).length - 1;
  expect(opened).toBe(1);
});

test.skipIf(process.platform === 'win32')('Ctrl-C ends a command that waits for a pipe', async () => {
  const root = await place(kinds['a pipe']!, 'interrupted', ['it']);
  const child = spawn(process.execPath, [program, 'call', '--from', 'openai', '@it'], { env, cwd: root });
  const writer = spawn('sh', ['-c', 'exec 3> it; echo open; exec sleep 60'], { cwd: root });
  await once(writer.stdout, 'data');
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  expect(await once(child, 'exit')).toEqual([130, null]);
  clearTimeout(timer);
  writer.kill();
});
