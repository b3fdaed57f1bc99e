import { afterAll, describe, expect, test } from 'vitest';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { smallServer } from './small-server.ts';
import { hasTerminals, Terminal } from './terminal.ts';
import { program, Workspace } from './workspace.ts';

// A tool that has changed since it was accepted is withheld: no error calls it unknown.

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

async function configure(env: Readonly<Record<string, string>>) {
  const s = smallServer(workspace.directory, env);
  workspace.directory.put('mcp.json', JSON.stringify({ mcpServers: { s } }));
  return workspace.mcp(['tools']);
}

const withheld =
  'The tool "read" of "s" is new or has changed since its tools were accepted, and is withheld; ' +
  `mcp --config ${workspace.configuration} trust s shows the changes, and with --yes accepts them`;

const openAi = (name: string) =>
  JSON.stringify({
    role: 'assistant',
    tool_calls: [{ id: '1', type: 'function', function: { name, arguments: '{}' } }],
  });
const block = (tool: string) =>
  `<use_mcp_tool><server_name>s</server_name><tool_name>${tool}</tool_name></use_mcp_tool>`;

async function throughGateway(method: string, params: object, ...options: string[]): Promise<unknown> {
  const args = [program, '--config', workspace.configuration, 'serve', ...options];
  const command = { command: process.execPath, args, env: workspace.env, stderr: 'ignore' } as const;
  await using client = await Client.connect(serverCommand(command));
  return await client.request(method, { ...params }).catch((error: Error) => error.message);
}

describe('a withheld tool is named as such', async () => {
  await configure({ TOOLS: 'read write' });
  await configure({ TOOLS: 'read write', SCHEMA: '{"type":"object","title":"changed"}' });

  test('in the answer of --from', async () => {
    const { stdout, code } = await workspace.mcp(['call', '--from', 'openai'], { input: openAi('s__read') });
    expect({ code, content: (JSON.parse(stdout) as [{ content: string }])[0].content }).toEqual({
      code: 5,
      content: `Error: ${withheld}`,
    });
  });

  test('once by mcp alone', async () => {
    const { stdout, stderr } = await workspace.mcp([]);
    expect(stdout).toContain('1 server in this file: 0 tools');
    expect(stderr.match(/withheld: read \(changed\)/g)).toHaveLength(1);
  });

  test.each([[['call', 's.read']], [['call', 'read']], [['show', 's.read']]])(
    'with its advice once: mcp %j',
    async (words) => {
      const { stderr, code } = await workspace.mcp(words);
      expect({ code, stderr }).toEqual({
        code: 7,
        stderr: expect.stringContaining('The tool "read" of "s" has changed since its tools were') as string,
      });
      expect(stderr.match(/trust s shows the changes/g)).toHaveLength(1);
      const json = (await workspace.mcp([...words, '--json'])).stderr.trim().split('\n').at(-1)!;
      expect(JSON.parse(json)).toMatchObject({ error: { hint: withheld.split('; ')[1] } });
    },
  );

  test('in the answer of route', async () => {
    expect((await workspace.mcp(['route'], { input: block('read') })).stdout).toContain(withheld);
  });

  test.each([
    ['tools/call', { name: 's__read', arguments: {} }, []],
    ['tools/call', { name: 'call_tool', arguments: { name: 's__read', arguments: {} } }, ['--lazy']],
  ] as const)('by the gateway: %s %j', async (method, params, options) => {
    expect(JSON.stringify(await throughGateway(method, params, ...options))).toContain(
      JSON.stringify(withheld).slice(1, -1),
    );
  });

  test('a name that no tool has is unknown, with the closest ones', async () => {
    await configure({ TOOLS: 'list' });
    await workspace.mcp(['trust', 's', '--yes']);
    const { stdout } = await workspace.mcp(['call', '--from', 'openai'], { input: openAi('t__list') });
    expect(stdout).toContain(String.raw`did you mean \"s__list\"?`);
  });
});

test('the tools of a server that had none before are new to nobody', async () => {
  using own = new Workspace();
  const listed = async (env: Readonly<Record<string, string>>) => {
    own.directory.put('mcp.json', JSON.stringify({ mcpServers: { s: smallServer(own.directory, env) } }));
    const { stdout, stderr } = await own.mcp(['tools']);
    return [stdout.trim().split('\n').slice(1).join(), stderr];
  };
  expect(await listed({ TOOLS: '' })).toEqual(['', '']);
  expect(await listed({ TOOLS: 'read' })).toEqual([expect.stringContaining('read'), '']);
  expect(await listed({ TOOLS: '' })).toEqual(['', expect.stringContaining('read (removed)')]);
  expect(await listed({ TOOLS: 'read write' })).toEqual([
    expect.not.stringContaining('write'),
    expect.stringContaining('withheld: write (added)'),
  ]);
});

test.skipIf(!hasTerminals)('in a terminal, mcp trust shows the change in colours', async () => {
  using own = new Workspace();
  const mcp = async (schema: string, ...words: string[]) => {
    const s = smallServer(own.directory, { TOOLS: 'read', SCHEMA: schema });
    own.directory.put('mcp.json', JSON.stringify({ mcpServers: { s } }));
    return new Terminal(own.commandLine(...words), { env: own.env, columns: 200 });
  };
  await (await mcp('{"type":"object","title":"former"}', 'tools')).shows('read');
  const terminal = await mcp('{"type":"object","title":"present"}', 'trust', 's');
  await terminal.shows('\u001b[31m  - inputSchema: {"type":"object","title":"former"}\u001b[39m');
  await terminal.shows('\u001b[32m  + inputSchema: {"type":"object","title":"present"}\u001b[39m');
  expect(await terminal.ended()).toBe(7);
});

test('a prompt that is not there is named with the closest ones', async () => {
  using own = new Workspace();
  const { stderr, code } = await own.mcp(['prompt', 'fix.gret']);
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: expect.stringMatching(/has no prompt "gret"; did you mean "\w+"\?/) as string,
  });
});
