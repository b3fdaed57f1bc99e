import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, onTestFinished, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { program } from './workspace.ts';

type Servers = Readonly<Record<string, object>>;

/** A home directory whose Claude Code has servers, and how to run `mcp` for it without `--config`. */
function home(serversIn: (small: (env?: Record<string, string>) => object) => Servers) {
  const directory = new TemporaryDirectory('host-cost');
  onTestFinished(() => directory[Symbol.dispose]());
  const small = (env: Record<string, string> = {}) => ({
    ...smallServer(directory, env),
    cwd: directory.outside,
  });
  directory.put('.claude.json', JSON.stringify({ mcpServers: serversIn(small) }));
  const cache = join(directory.base, 'cache');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: directory.root,
    XDG_STATE_HOME: join(directory.base, 'state'),
    XDG_CACHE_HOME: cache,
  };
  const mcp = (...words: string[]) => runProgram(program, words, { env, cwd: directory.outside });
  return { directory, env, mcp, cache: join(cache, 'mcp', 'host') };
}

/** The cost that `mcp cost --json` prints. */
interface Printed {
  readonly counting: string;
  readonly tokens: number;
  readonly lazy: { readonly tokens: number };
  readonly hidden: { readonly tools: number; readonly tokens: number };
  readonly servers: readonly {
    readonly server: string;
    readonly tokens: number;
    readonly tools: readonly { readonly name: string; readonly tokens: number }[];
  }[];
  readonly notCounted: readonly { readonly server: string; readonly error?: string }[];
  readonly dearest: readonly { readonly tool: string }[];
}

test('servers that were never started are named, and the printed command counts them', async () => {
  const { mcp } = home((small) => ({ a: small({ TOOLS: 'one two' }), b: small() }));
  const before = await mcp('cost');
  expect(before).toMatchObject({
    code: 0,
    stdout:
      'a  not counted: no list of its tools was read yet\nb  not counted: no list of its tools was read yet\n',
    stderr: 'mcp cost --start a b starts and counts a, b\n',
  });
  const advised = before.stderr.split(' starts ')[0]!.split(' ').slice(1);
  const after = await mcp(...advised);
  expect(after).toMatchObject({ code: 0, stderr: '' });
  expect(after.stdout).toMatch(/^a +\d+ tokens {2}2 tools/m);
  const { tokens } = JSON.parse((await mcp('cost', '--json')).stdout) as Printed;
  expect(after.stdout).toContain(
    `In each request: 3 tools, ${tokens} tokens, in the form of openai, counted with`,
  );
});

test('the tokens are those of the tokenizer for the tools in the format of the vendor', async () => {
  const { mcp } = home((small) => ({ a: small({ TOOLS: 'one two <|endoftext|>' }) }));
  await mcp('tools');
  const cost = JSON.parse((await mcp('cost', '--json')).stdout) as Printed;
  const sent = JSON.parse((await mcp('tools', '--cached', '--format', 'openai')).stdout) as object[];
  const plain = { disallowedSpecial: new Set<string>() };
  const expected = sent.map((tool) => encode(JSON.stringify(tool), plain).length);
  expect(cost.counting).toBe('o200k_base');
  expect(cost.servers[0]?.tools.map(({ tokens }) => tokens)).toEqual(expected);
  expect(cost.tokens).toBe(expected.reduce((sum, each) => sum + each, 0));
});

test('a vendor without a published tokenizer is an estimate, and the output says so', async () => {
  const { mcp } = home((small) => ({ a: small() }));
  await mcp('tools');
  const { stdout } = await mcp('cost', '--format', 'anthropic');
  expect(stdout).toContain('in the form of anthropic, estimated: a quarter of the bytes');
  const [tool] = JSON.parse((await mcp('tools', '--cached', '--format', 'anthropic')).stdout) as object[];
  expect(stdout).toContain(`${Math.ceil(JSON.stringify(tool).length / 4)} tokens`);
});

test('without the file of the tokenizer, the bytes are the measure', async () => {
  const { mcp, directory } = home((small) => ({ a: small() }));
  await mcp('tools');
  const copy = join(directory.base, 'dist');
  cpSync(dirname(program), copy, { recursive: true, filter: (path) => !path.endsWith('tokenizer.cjs') });
  const { env } = home(() => ({}));
  const { stdout } = await runProgram(join(copy, 'main.cjs'), ['cost'], {
    env: { ...env, HOME: directory.root, XDG_CACHE_HOME: join(directory.base, 'cache') },
    cwd: directory.outside,
  });
  expect(stdout).toContain('estimated: a quarter of the bytes');
});

test('filters and --lazy save what the command says', async () => {
  const tools = Array.from({ length: 20 }, (_, index) => `tool${index}`);
  const { mcp } = home((small) => ({
    a: { ...small({ TOOLS: tools.join(' ') }), blockedTools: ['tool1*'] },
    b: small(),
  }));
  await mcp('tools');
  const cost = JSON.parse((await mcp('cost', '--json')).stdout) as Printed;
  expect(cost.hidden.tools).toBe(11);
  expect(cost.servers[0]?.tools).toHaveLength(9);
  expect(cost.dearest).toHaveLength(10);
  const lazy = JSON.parse(
    (await mcp('tools', '--json', '--', process.execPath, program, 'serve', '--lazy')).stdout,
  ) as Record<string, { tools: unknown[] }>;
  expect(Object.values(lazy)[0]?.tools).toHaveLength(3);
  const { stdout } = await mcp('cost');
  const saved = Math.floor((100 * (cost.tokens - cost.lazy.tokens)) / cost.tokens);
  expect(stdout).toContain(`As mcp serve --lazy: 3 tools, ${cost.lazy.tokens} tokens, ${saved} % less`);
  expect(stdout).toContain(
    `Tools that are filtered or withheld save ${cost.hidden.tokens} tokens: 11 tools of 1 server\n`,
  );
});

test('a server that cannot be started is named with its error, and the others are counted', async () => {
  const { mcp } = home((small) => ({ a: small(), broken: { command: 'no-such-program', cwd: '/' } }));
  const { stdout, stderr, code } = await mcp('cost', '--start');
  expect(code).toBe(4);
  expect(stdout).toMatch(/^broken {2}not counted: .*no-such-program/m);
  expect(stdout).toMatch(/^In each request: 1 tool, /m);
  expect(stderr).not.toContain('--start');
});

test('an unknown, a disabled and a wrong server', async () => {
  const { mcp } = home((small) => ({
    a: small(),
    off: { ...small(), disabled: true },
    wrong: { command: 1 },
  }));
  expect(await mcp('cost', 'b')).toMatchObject({ code: 1, stderr: expect.stringContaining('no server "b"') });
  expect(await mcp('cost', 'off')).toMatchObject({ code: 1, stderr: expect.stringContaining('disabled') });
  const { stdout, stderr } = await mcp('cost');
  expect(stdout).toMatch(
    /^wrong {2}not counted: Server "wrong" in .*, line 1: "command" must be a string; got 1/m,
  );
  expect(stderr).toContain('mcp cost --start a starts and counts a\n');
});

test(
  'a hostile list is counted in seconds, and prints no control sequences',
  { timeout: 60_000 },
  async () => {
    const { mcp, cache } = home((small) => ({ a: small() }));
    await mcp('tools');
    const lists = join(cache, 'lists');
    const [name] = readdirSync(lists);
    const { key, value } = JSON.parse(readFileSync(join(lists, name!), 'utf8')) as {
      key: string;
      value: object;
    };
    const items = ['汉', ' ', '-', 'a', '😀', '\u0301'].map((each, index) => ({
      name: `t${index}\u001b[2J`,
      description: each.repeat(50_000),
      inputSchema: { type: 'object' },
    }));
    writeFileSync(join(lists, name!), JSON.stringify({ key, value: { ...value, items } }));
    // The changed tools are withheld; without their pins they are shown.
    const { stdout, code } = await mcp('cost', '--json');
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Printed).hidden.tokens).toBeGreaterThan(1_000);
    expect((await mcp('cost')).stdout).not.toContain('\u001b');
    // No date has this time.
    writeFileSync(join(lists, name!), JSON.stringify({ key, value: { items, at: 1e300 } }));
    expect(await mcp('cost', '--json')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is damaged'),
    });
  },
);

test('mcp begins with the servers and their cost, and loads no tokenizer', async () => {
  const { mcp } = home((small) => ({ a: small({ TOOLS: 'one two' }), b: small() }));
  const first = async () => (await mcp()).stdout.split('\n')[0]!;
  expect(await first()).toBe(
    '2 servers in Claude Code: tools are not counted yet; mcp cost --start starts and counts them',
  );
  await mcp('tools', 'a');
  expect(await first()).toMatch(
    /^2 servers in Claude Code: 2 tools of 1 server, about \d+ tokens in each request; as mcp serve --lazy: about \d+; mcp cost --start counts one other$/,
  );
  await mcp('cost', '--start');
  const { tokens, lazy } = JSON.parse((await mcp('cost', '--json')).stdout) as Printed;
  expect(await first()).toBe(
    `2 servers in Claude Code: 3 tools, ${tokens} tokens in each request; as mcp serve --lazy: ${lazy.tokens}`,
  );
});

test('mcp begins with one server, with disabled servers, and without any', async () => {
  const first = async (servers: Parameters<typeof home>[0]) =>
    (await home(servers).mcp()).stdout.split('\n')[0];
  expect(await first((small) => ({ a: small() }))).toBe(
    '1 server in Claude Code: tools are not counted yet; mcp cost --start starts and counts them',
  );
  expect(await first((small) => ({ a: { ...small(), disabled: true } }))).toBe('1 server, all disabled');
  expect(await first(() => ({ a: { command: 1 } }))).toBe('1 server in Claude Code: no entry can be used');
  expect(await first(() => ({}))).toMatch(/^No servers are configured/);
});
