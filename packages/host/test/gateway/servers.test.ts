import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smallServer } from '../small-server.ts';
import { GatewayProgram, probeServer, program, textOf } from './gateway-program.ts';

function gatewayOf(...args: ConstructorParameters<typeof GatewayProgram>): GatewayProgram {
  const gateway = new GatewayProgram(...args);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return gateway;
}

describe.each(['legacy', 'stateless'])('a server of the %s era that ends', (era) => {
  test('fails its calls with an error that names it, and is started again with its subscriptions', async () => {
    const gateway = gatewayOf({ dies: probeServer('dies', era), lives: probeServer('lives') });
    const client = await gateway.stdio();
    let updates = 0;
    await client.subscribe('test://shared', () => updates++);
    await expect(client.callTool('dies__exit')).rejects.toMatchObject({
      message: expect.stringMatching(/dies: .*exit code 3/s),
      data: { server: 'dies', phase: 'call' },
    });
    expect(textOf(await client.callTool('lives__echo', { text: 'Hi' }))).toBe('Hi');
    // Changes may have been missed, so that the restart itself counts as one.
    await expect.poll(() => updates, { timeout: 10_000 }).toBeGreaterThan(0);
    const before = updates;
    expect(textOf(await client.callTool('dies__touch'))).toBe('touched');
    await expect.poll(() => updates).toBeGreaterThan(before);
  });
});

test('lists do not wait for a server that hangs; its tools follow with a notification once it answers', async () => {
  const directory = new TemporaryDirectory('gateway-late');
  onTestFinished(() => directory[Symbol.dispose]());
  const gate = join(directory.base, 'open');
  const late = probeServer('late', 'wait');
  const gateway = gatewayOf({
    late: { ...late, env: { ...late.env, WAIT_FOR: gate } },
    hangs: smallServer(directory, { HANG: 'handshake' }),
    missing: { command: join(directory.base, 'missing') },
    ready: probeServer('ready'),
  });
  const client = await gateway.stdio();
  expect(client.instructions).toContain('# ready\n\nInstructions of ready.');
  expect(client.instructions).toContain('- missing: cannot be started: ');
  expect(client.instructions).toContain('- late: still starting');
  const changed = new Promise<void>((resolve) => void client.watchList('tools', resolve));
  const names = async () => (await client.listTools()).map(({ name }) => name.split('__', 1)[0]);
  expect(new Set(await names())).toEqual(new Set(['ready']));
  expect(textOf(await client.callTool('ready__echo', { text: 'Hi' }))).toBe('Hi');
  await expect(client.callTool('missing__tool')).rejects.toMatchObject({
    message: expect.stringContaining('missing: cannot be started'),
    data: { server: 'missing', phase: 'spawn' },
  });
  writeFileSync(gate, '');
  await changed;
  expect(new Set(await names())).toEqual(new Set(['late', 'ready']));
});

test('tools that changed are withheld until they are accepted, and the list is notified as changed', async () => {
  const gateway = gatewayOf({ pinned: probeServer('pinned') });
  const client = await gateway.http();
  const changed = new Promise<void>((resolve) => void client.watchList('tools', resolve));
  await client.listTools();
  await client.callTool('pinned__add_tool');
  await changed;
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names).toContain('pinned__echo');
  expect(names).not.toContain('pinned__added');
  await expect(client.callTool('pinned__added')).rejects.toThrow(
    'The tool "added" of "pinned" is new or has changed',
  );
  expect(gateway.lines.join('\n')).toContain(
    'pinned: tools that changed since they were accepted are withheld: added',
  );
});

test('a host that has closed stderr is served on', async () => {
  const gateway = gatewayOf({ missing: { command: 'missing-program' }, probe: probeServer('probe') });
  const child = gateway.spawn();
  child.stderr.destroy();
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error('The gateway has ended');
      const answer = JSON.parse(value) as { id?: string; result: object };
      if (answer.id === method) return answer.result;
    }
  };
  const clientInfo = { name: 'c', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const call = { name: 'probe__echo', arguments: { text: 'Hi' } };
  expect(await ask('tools/call', call)).toMatchObject({ structuredContent: { text: 'Hi' } });
  const exited = once(child, 'exit');
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
});

test('a server of a project is not started without consent, and the others are served', async () => {
  const directory = new TemporaryDirectory('gateway-project');
  onTestFinished(() => directory[Symbol.dispose]());
  const started = join(directory.base, 'started');
  const touch = { command: process.execPath, args: ['-e', `require('fs').writeFileSync('${started}', '')`] };
  directory.put('.mcp.json', JSON.stringify({ mcpServers: { project: touch } }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: directory.base };
  const lines = ['initialize', 'tools/list'].map((method, index) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: index,
      method,
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    }),
  );
  const { stdout, stderr } = await runProgram(program, ['serve'], {
    env,
    cwd: directory.root,
    input: `${lines.join('\n')}\n`,
  });
  expect(stdout).toContain('"tools":[]');
  expect(stderr).toContain('was not started: no consent');
  expect(existsSync(started)).toBe(false);
});

test('after consent, a server of a project is listed without a restart of the gateway', async () => {
  const directory = new TemporaryDirectory('gateway-consent');
  onTestFinished(() => directory[Symbol.dispose]());
  directory.put('.mcp.json', JSON.stringify({ mcpServers: { s: smallServer(directory) } }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: directory.base };
  const cwd = directory.root;
  const warnings: string[] = [];
  const command = { command: process.execPath, args: [program, 'serve'], env, cwd };
  const stderr = (text: string) => void warnings.push(text);
  await using client = await Client.connect(serverCommand({ ...command, stderr }));
  const changed = new Promise<void>((resolve) => void client.watchList('tools', resolve));
  expect(await client.listTools()).toEqual([]);
  expect((await runProgram(program, ['--yes', 'ping', 's'], { env, cwd })).code).toBe(0);
  await client.request('tools/list', {});
  await changed;
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['s__pid']);
  expect(warnings.join('').match(/no consent/g)).toHaveLength(1);
});

test('--lazy serves three tools, through which every other is found, described and called', async () => {
  const gateway = gatewayOf({ one: probeServer('one'), two: probeServer('two', 'legacy') }, '--lazy');
  const client = await gateway.stdio({
    elicit: () => Promise.resolve({ action: 'accept', content: { text: 'yes' } }),
  });
  expect((await client.listTools()).map(({ name }) => name)).toEqual([
    'list_tools',
    'describe_tool',
    'call_tool',
  ]);
  const listed = textOf(await client.callTool('list_tools', { query: 'returns text', server: 'two' }));
  expect(listed.split('\n')[0]).toBe('two__echo: Returns its text.');
  const described = textOf(await client.callTool('describe_tool', { name: 'two__echo' }));
  expect(JSON.parse(described)).toMatchObject({ name: 'two__echo', inputSchema: { type: 'object' } });
  const call = (name: string, args = {}) => client.callTool('call_tool', { name, arguments: args });
  expect(await call('two__echo', { text: 'Hi' })).toMatchObject({ structuredContent: { text: 'Hi' } });
  expect(textOf(await call('one__ask'))).toBe('{"action":"accept","content":{"text":"yes"}}');
  await expect(call('two__ecko')).rejects.toThrow('Unknown tool: "two__ecko"; did you mean "two__echo"');
  expect(await client.callTool('describe_tool', { name: 'x' })).toMatchObject({ isError: true });
});

describe('mcp serve exits with 1 and says why', () => {
  const directory = new TemporaryDirectory('gateway-usage');
  const file = directory.put(
    'mcp.json',
    JSON.stringify({ mcpServers: { alpha: { command: 'a' }, beta: { command: 'b' } } }),
  );
  const empty = directory.put('empty.json', '{"mcpServers":{}}');

  test.each([
    [['--servers', 'alpa'], /There is no server "alpa"; did you mean "alpha"/],
    [['--http', '70000'], /Invalid --http: "70000"; expected \[host:\]port/],
    [['--http', '0.0.0.0:0'], /Refusing to listen on "0.0.0.0" without a token/],
    [['--no-prefix'], /Invalid --no-prefix with 2 servers; name one: --servers alpha/],
    [['--stdio', '--http', '0'], /Invalid --stdio with --http; expected one of them/],
    [['alpha'], /Unexpected argument: "alpha"/],
  ] as const)('for %s', async (args, expected) => {
    const { stderr, code } = await runProgram(program, ['--config', file, 'serve', ...args], {});
    expect(stderr).toMatch(expected);
    expect(code).toBe(1);
  });

  test('for a configuration without servers, and for a port that is taken', async () => {
    const nothing = await runProgram(program, ['--config', empty, 'serve'], {});
    expect(nothing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There are no servers to serve'),
    });
    await using gateway = new GatewayProgram({ probe: probeServer('probe') });
    await gateway.http();
    const port = /:(\d+)\/mcp/.exec(gateway.lines.join())?.[1] ?? '';
    const taken = await runProgram(program, ['--config', file, 'serve', '--http', port], {});
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('the port is already in use') });
  });
});

test('a single server is served under its own names with --no-prefix', async () => {
  const gateway = gatewayOf(
    { 'of mine/ü': probeServer('mine'), other: probeServer('other') },
    '--servers',
    'of mine/ü',
  );
  const prefixed = (await (await gateway.stdio()).listTools()).map(({ name }) => name);
  expect(prefixed.every((name) => /^of_mine__+echo_[0-9a-f]{8}$|^[\w-]{1,64}$/.test(name))).toBe(true);
  const plain = gatewayOf({ 'of mine/ü': probeServer('mine') }, '--no-prefix');
  const client = await plain.stdio();
  expect((await client.listTools()).map(({ name }) => name)).toContain('echo');
  expect(client.instructions).toBe('Instructions of mine.');
});

/** Its results are text: such a schema is too deep for `JSON.stringify`. */
const deepServer = `
const schema = '{"type":"object","properties":{"a":'.repeat(3000) + '{}' + '}}'.repeat(3000);
const results = {
  initialize: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"d","version":"1"}}',
  'tools/list': '{"tools":[{"name":"deep","inputSchema":' + schema + '}]}',
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const member = results[method] ? '"result":' + results[method] : '"error":{"code":-32601,"message":"no"}';
  if (id !== undefined) console.log('{"jsonrpc":"2.0","id":' + id + ',' + member + '}');
});
`;

test('a list with a schema of 3,000 levels is empty, and the warning says why', async () => {
  using directory = new TemporaryDirectory('gateway-deep');
  const entry = { command: process.execPath, args: [directory.put('deep.cjs', deepServer)] };
  await using gateway = new GatewayProgram({ deep: entry });
  const client = await gateway.stdio();
  expect(await client.listTools()).toEqual([]);
  await expect.poll(() => gateway.lines.join('\n')).toContain('"deep", nested deeper than 500 levels');
  expect(gateway.lines.join('\n')).not.toContain('Maximum call stack');
});

test.skipIf(process.platform === 'win32')(
  'SIGTERM ends a gateway over HTTP with the exit code 0',
  async () => {
    await using gateway = new GatewayProgram({ a: probeServer('a') }, '--http', '0');
    const child = gateway.spawn();
    const ended = once(child, 'exit');
    for await (const line of createInterface({ input: child.stderr }))
      if (line.startsWith('Listening')) break;
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);

test('mcp login says where a server answers without a login', async () => {
  const gateway = gatewayOf({ a: probeServer('a') });
  await gateway.http();
  const [, url = ''] = /^Listening on (.+)$/m.exec(gateway.lines.join('\n')) ?? [];
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(gateway.directory.base, 'home') };
  const { stderr, code } = await runProgram(program, ['login', url], { env });
  expect({ stderr, code }).toEqual({ stderr: `${new URL(url).host} answers without a login\n`, code: 0 });
});
