import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/client';
import { runProgram } from '@mcp/test-kit';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { login } from '../packages/login/test/browser.ts';
import { connect, directory, freePort, passphrase, startProgram } from './login-program.ts';
import type * as Official from './official/login-client.ts';
import { labServer } from './served-lab.ts';
import { repository, serverProgram } from './server-program.ts';

// `mcp serve --login`: clients from outside get the servers that are named, the tools that only read, and
// those that are allowed by name.

const { loginV1, loginV2 } = inject('official')
  ? await import('./official/login-client.ts')
  : ({} as typeof Official);

const mcp = join(repository, 'packages/host/dist/main.cjs');

/** `mcp serve` in front of the servers `lab`, `other`, `a`, `a.b`, and `commands`, which is server-run. */
async function serve(args: readonly string[], env: NodeJS.ProcessEnv = { MCP_PASSPHRASE: passphrase }) {
  const files = directory();
  const seen = files.put('seen.txt');
  const passed = { MCP_PASSPHRASE: true, HOME: true };
  const commands = {
    variables: { description: 'Lists variables.', argv: ['env'], env: passed, readOnly: true },
    hello: { description: 'Says hello.', argv: ['echo', 'hello'], readOnly: true },
  };
  const run = files.put('commands.json', JSON.stringify({ writable: [], cwd: files.root, commands }));
  const labs = ['lab', 'other', 'a', 'a.b'].map((name) => [
    name,
    labServer(files, { NAME: name, SEEN: seen }),
  ]);
  const mcpServers = {
    ...(Object.fromEntries(labs) as object),
    commands: { command: process.execPath, args: [serverProgram('run'), run] },
  };
  const configuration = files.put('mcp.json', JSON.stringify({ mcpServers }));
  const started = await startProgram([mcp, '--config', configuration, 'serve', ...args], env, files);
  const lines = () => readFileSync(seen, 'utf8').trim().split('\n');
  return { ...started, configuration, seen: lines };
}

const address = async () => ['--http', String(await freePort()), '--login'];

async function client(url: string, options: Parameters<typeof connect>[1] = {}): Promise<Client> {
  const connected = await connect(url, options);
  onTestFinished(() => connected.close());
  return connected;
}

/** The names of the tools, with `--lazy` as `list_tools` lists them. */
async function toolsOf(connected: Client, isLazy: boolean): Promise<readonly string[]> {
  if (!isLazy) {
    const { tools } = (await connected.request('tools/list')) as unknown as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  }
  const { content } = await connected.callTool('list_tools');
  const [{ text }] = content as unknown as [{ text: string }];
  return text.split('\n').map((line) => line.split(':')[0]!);
}

describe.each(['2026-07-28', '2025-06-18'])('a client of %s that has logged in', (revision) => {
  test.each([[[]], [['--lazy']]])(
    'gets what only reads, and what is allowed by name, with %j',
    async (lazy) => {
      const named = ['--servers', 'lab', '--allow', 'lab.write', ...lazy];
      const { url, lines, seen } = await serve([...(await address()), ...named]);
      const isLazy = lazy.length > 0;
      const connected = await client(url, { revision, extensions: { 'com.example/lab': {} } });
      const call = (name: string): Promise<unknown> =>
        connected.request('tools/call', {
          name: isLazy ? 'call_tool' : name,
          arguments: isLazy ? { name, arguments: {} } : {},
        });
      expect(await toolsOf(connected, isLazy)).toEqual(['lab__read', 'lab__change', 'lab__write']);
      await call('lab__read');
      await call('lab__write');
      const hidden = [
        'plain',
        'empty',
        'text',
        'opposite',
        'Write',
        'wr\u0456te',
        'write ',
        'twice',
        'eciwt',
      ];
      for (const name of [
        ...hidden.flatMap((each) => [`lab__${each}`, each]),
        'other__read',
        'read',
        'write',
      ])
        await expect(call(name), name).rejects.toThrow('Unknown tool');
      if (isLazy) {
        const described = await connected.callTool('describe_tool', { name: 'lab__plain' });
        expect(described).toMatchObject({ isError: true });
        await expect(connected.request('tools/call', { name: 'lab__read' })).rejects.toThrow('Unknown tool');
      }

      expect(await connected.listResources()).toMatchObject([{ uri: 'lab://lab' }]);
      await connected.readResource('lab://lab');
      for (const uri of ['lab://other', 'mcp://other/lab://other'])
        expect(JSON.stringify(await connected.readResource(uri).catch(String))).not.toContain(
          'Text of other',
        );
      await expect(connected.request('lab/write')).rejects.toThrow('lab/write');

      await call('lab__change');
      await vi.waitFor(async () =>
        expect(await toolsOf(connected, isLazy)).toEqual(['lab__change', 'lab__write']),
      );
      await expect(call('lab__read')).rejects.toThrow('withheld');
      await expect(call('lab__later')).rejects.toThrow();
      const names = hidden.map((name) => `"${name}"`).join(', ');
      expect(lines.filter((line) => line.startsWith('lab: not served'))).toEqual([
        `lab: not served without --allow: ${names}`,
      ]);
      expect(seen().filter((line) => line.startsWith('call'))).toEqual(
        ['read', 'write', 'change'].map((name) => `call ${name}`),
      );
      expect(seen().filter((line) => line.startsWith('start') && line !== 'start lab')).toEqual([]);
    },
  );
});

test('tools that came later, and were accepted, are served by the same rules', async () => {
  const { url, lines, home, configuration } = await serve([...(await address()), '--servers', 'lab']);
  const first = await client(url);
  expect(await toolsOf(first, false)).toEqual(['lab__read', 'lab__change']);
  await first.callTool('lab__change');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  const args = ['--config', configuration, 'trust', 'lab', '--yes'];
  const { stdout, code } = await runProgram(mcp, args, { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('added later') });
  const second = await client(url, { name: 'Second' });
  expect(await toolsOf(second, false)).toEqual(['lab__change']);
  await expect(second.callTool('lab__later')).rejects.toThrow('Unknown tool');
  expect(lines).toContain('lab: not served without --allow: "read", "write", "later"');
});

test('of server-run, clients get the commands that are allowed by name, and these get no passphrase', async () => {
  const named = ['--servers', 'commands,lab', '--allow', 'commands.variables'];
  const { url, lines } = await serve([...(await address()), ...named]);
  const connected = await client(url);
  expect(await toolsOf(connected, false)).toEqual(['commands__variables', 'lab__read', 'lab__change']);
  await expect(connected.callTool('commands__hello')).rejects.toThrow('Unknown tool');
  const { content } = await connected.callTool('commands__variables');
  expect(JSON.stringify(content)).toContain('HOME=');
  expect(JSON.stringify(content)).not.toContain('MCP_PASSPHRASE');
  expect(lines).toContainEqual(expect.stringContaining('Access granted to "Editor"'));
});

test('of server-run, no resources are served without an allowed tool', async () => {
  const { url } = await serve([...(await address()), '--servers', 'commands,lab']);
  const connected = await client(url);
  const lists = await Promise.all([
    connected.request('resources/list'),
    connected.request('resources/templates/list'),
  ]);
  expect(JSON.stringify(lists)).not.toContain('run://');
  await expect(connected.readResource('mcp://commands/run://commands/1/output')).rejects.toThrow(
    'No server lists the resource',
  );
});

test('a tool that is allowed, and that the server does not have, is named with the closest ones', async () => {
  const { url, lines } = await serve([...(await address()), '--servers', 'lab', '--allow', 'lab.wrote']);
  const connected = await client(url);
  expect(await toolsOf(connected, false)).toEqual(['lab__read', 'lab__change']);
  expect(lines).toContainEqual(expect.stringContaining('lab: --allow names "wrote"'));
});

const lab = ['--servers', 'lab'];
const both = ['--http', '1', '--login', '--servers', 'a,a.b'];

test.each([
  [['--login', ...lab], 'The option "--login" has no effect without --http'],
  [['--http', '1', '--login', ...lab], 'Missing passphrase for --login'],
  [['--http', '1', '--login', '--token', 'x', ...lab], 'Clients cannot both log in and send a token'],
  [['--http', '0', '--login', ...lab], 'Missing --public-url=<url>'],
  [['--http', '1', '--login'], 'Missing --servers: with --login, only servers that are named are served'],
  [['--http', '1', '--login', '--servers', 'Lab'], 'Lab'],
  [['--http', '1', '--allow', 'lab.write', ...lab], '--allow has no effect without --login'],
  [['--http', '1', '--login', ...lab, '--allow', 'other.write'], 'Invalid --allow: "other.write"'],
  [['--http', '1', '--login', ...lab, '--allow', 'lab.*'], 'Invalid --allow: "lab.*"'],
  [[...both, '--allow', 'write'], 'Invalid --allow: "write"'],
  [[...both, '--allow', 'a.b.write'], 'Invalid --allow: "a.b.write"; it may be a/b.write or a.b/write'],
])('%j is refused', async (args, message) => {
  const env = message.startsWith('Missing pass') ? {} : { MCP_PASSPHRASE: passphrase };
  await expect(serve(args, env)).rejects.toThrow(message);
});

test.skipIf(!inject('official'))('the official clients log in, refresh and call', async () => {
  const { url } = await serve([...(await address()), ...lab]);
  await loginV1(url, login, 'lab__read');
  await loginV2(url, login, { supportedProtocolVersions: ['2025-11-25'] }, 'lab__read');
  await loginV2(url, login, { versionNegotiation: { mode: { pin: '2026-07-28' } } }, 'lab__read');
});
