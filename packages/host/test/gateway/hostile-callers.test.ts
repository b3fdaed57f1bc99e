import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { smallServer } from '../small-server.ts';
import { end, GatewayProgram, probeServer, program, textOf } from './gateway-program.ts';

// A stateless server whose tool `ask` asks, and which takes any state for its own. Each other tool returns
// its name; `broken` fails with a long error.
const server = String.raw`
const names = ['ask', 'danger', 'broken'];
const answers = {
  'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  'tools/list': () => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })), ttlMs: 0, cacheScope: 'private' }),
  'tools/call': ({ name, requestState }) => name === 'ask' && requestState === undefined
    ? { resultType: 'input_required', requestState: 'S', inputRequests: {} }
    : { content: [{ type: 'text', text: name }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const error = { code: -32000, message: 'x'.repeat(5000) };
  const answer = params.name === 'broken' ? { error } : { result: { resultType: 'complete', ...answers[method](params) } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;

/** A gateway with this policy in front of the server `s`, and its calls as a raw client of 2026-07-28. */
function rawCalls(policy: object, ...options: string[]) {
  const directory = new TemporaryDirectory('hostile-callers');
  const file = directory.put('policy.json', JSON.stringify(policy));
  const s = { command: process.execPath, args: ['-e', server] };
  const gateway = new GatewayProgram({ s }, '--policy', file, ...options);
  const child = gateway.spawn();
  onTestFinished(async () => {
    await end(child);
    await gateway[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  let id = 0;
  const call = async (name: string, args: object, state?: string): Promise<string> => {
    const given = options.includes('--lazy')
      ? { name: 'call_tool', arguments: { name, arguments: args } }
      : { name, arguments: args };
    const params = { ...given, ...(state !== undefined && { requestState: state }), _meta };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params })}\n`);
    const { value } = (await lines.next()) as IteratorResult<string, undefined>;
    const { result } = JSON.parse(value ?? '{}') as { result: { content?: []; resultType: string } };
    return result.content ? textOf({ content: result.content }) : result.resultType;
  };
  return { call, directory };
}

test.each([[[]], [['--lazy']]])('a state lets no other call past the rules %j', async (options) => {
  const { call } = rawCalls(
    {
      rules: [
        { tool: 'danger', confirm: true },
        { tool: 'ask', rate: { calls: 1, seconds: 3_600 } },
      ],
    },
    ...options,
  );
  expect(await call('s__ask', { a: 1 })).toBe('input_required');
  expect(await call('s__danger', {}, 'S')).toContain('Its user must confirm this call');
  expect(await call('s__ask', { a: 2 }, 'S')).toMatch(/^Too many calls/);
  expect(await call('s__ask', { a: 1 }, 'S')).toBe('ask');
  expect(await call('s__ask', { a: 1 }, 'S')).toMatch(/^Too many calls/);
});

test('the size of an error is limited, too', async () => {
  const { call } = rawCalls({ rules: [{ maxResultBytes: 1_000 }] });
  expect(await call('s__broken', {})).toMatch(
    /^The error has 5\d+ bytes, and at most 1000 are allowed: ask for less$/,
  );
});

test('the size of the result of a task is limited, too', async () => {
  using directory = new TemporaryDirectory('large-task');
  const file = directory.put('p.json', JSON.stringify({ rules: [{ tool: 'later', maxResultBytes: 1_000 }] }));
  const probe = probeServer('probe');
  const env = { ...probe.env, DONE: 'x'.repeat(2_000) };
  await using gateway = new GatewayProgram({ probe: { ...probe, env } }, '--policy', file);
  const client = await gateway.stdio();
  const { taskId } = await client.forward('tools/call', { name: 'probe__later', arguments: {} });
  await expect
    .poll(() => client.forward('tasks/get', { taskId }))
    .toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: expect.stringMatching(/^The result has 2\d+ bytes/) }] },
    });
  expect(textOf(await client.callTool('probe__later'))).toMatch(/^The result has 2\d+ bytes/);
  const failing = { name: 'probe__later', arguments: { text: 'y'.repeat(2_000) } };
  const failed = await client.forward('tools/call', failing);
  const ended = () => client.forward('tasks/get', { taskId: failed['taskId'] });
  await expect.poll(ended).toMatchObject({ status: 'completed', result: { isError: true } });
  expect(JSON.stringify(await ended())).not.toContain('yyy');
});

test('of several rates, the first one counts', async () => {
  const { call } = rawCalls({
    rules: [
      { tool: 'danger', rate: { calls: 2, seconds: 3_600 } },
      { tool: '*', rate: { calls: 1, seconds: 3_600 } },
    ],
  });
  const answers = [];
  for (let count = 0; count < 3; count++) answers.push(await call('s__danger', {}));
  expect(answers).toEqual(['danger', 'danger', expect.stringMatching(/^Too many calls/)]);
});

test('a user sees every argument of a call, and nothing that hides them', async () => {
  using directory = new TemporaryDirectory('seen');
  const file = directory.put('p.json', JSON.stringify({ rules: [{ tool: 'echo', confirm: 'Really?' }] }));
  await using gateway = new GatewayProgram(
    { small: smallServer(directory, { TOOLS: 'echo' }) },
    '--policy',
    file,
  );
  const asked: string[] = [];
  const client = await gateway.stdio({
    elicit: ({ message }) => {
      asked.push(message);
      return Promise.resolve({ action: 'accept', content: { allow: true } });
    },
  });
  const text = `${'a'.repeat(300)}${'b'.repeat(300)}`;
  await client.callTool('small__echo', { text, hidden: 'x\u202ey', path: '/etc' });
  expect(asked).toEqual([
    `Really?\n{"text":"${'a'.repeat(200)}… (600 characters) …${'b'.repeat(200)}","hidden":"x\\u{202e}y","path":"/etc"}`,
  ]);
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, index]));
  expect(textOf(await client.callTool('small__echo', many))).toContain(
    'its arguments are too many to be shown',
  );
});

test('the audit is for its user alone, also where the file was there; a full disk is a warning', async () => {
  const { call, directory } = rawCalls({ audit: { file: 'old.jsonl' } });
  const old = directory.put('old.jsonl', '');
  chmodSync(old, 0o644);
  expect(await call('s__danger', {})).toBe('danger');
  expect(statSync(old).mode & 0o777).toBe(0o600);
  await expect.poll(() => readFileSync(old, 'utf8')).toContain('"outcome":"ok"');
  if (process.platform !== 'linux') return;
  await using gateway = new GatewayProgram(
    { small: smallServer(directory) },
    '--policy',
    directory.put('full.json', JSON.stringify({ audit: { file: '/dev/full' } })),
  );
  const client = await gateway.stdio();
  for (const _ of [1, 2]) expect(textOf(await client.callTool('small__pid'))).toMatch(/^\d+$/);
  await client.close();
  const warnings = () =>
    gateway.lines.filter((line) => line.startsWith('Cannot write the audit "/dev/full": ENOSPC'));
  await expect.poll(warnings, { timeout: 30_000 }).toHaveLength(1);
});

test.skipIf(process.platform === 'win32')('an audit that cannot be written is an error', async () => {
  using directory = new TemporaryDirectory('audit-refused');
  execFileSync('mkfifo', [join(directory.root, 'pipe')]);
  for (const file of ['pipe', '.', 'missing/audit.jsonl']) {
    const policy = directory.put('p.json', JSON.stringify({ audit: { file } }));
    const { stderr, code } = await runProgram(program, ['serve', '--policy', policy, '--', 'x']);
    expect(stderr).toContain(`Cannot write the audit "${join(directory.root, file)}": E`);
    expect(code).toBe(1);
  }
});

test.each([
  ['{"rules": [{"hide": true}],\n"rules": []}', 'p.json:1: rules: Named again in line 2: delete one of them'],
  ['{"rules": [{"hide": true,\n// again\n"hide": false}]}', 'rules[0].hide: Named again in line 3'],
  [
    '{"rules": [{"arguments": {"a": {"default": 1, "allow": [2]}}}]}',
    'rules[0].arguments.a.default: Expected one of the values of "allow"',
  ],
  [
    '{"rules": [{"arguments": {"a": {"rename": "c"}, "b": {"rename": "c"}}}]}',
    'rules[0].arguments.a.rename: "b" has this name, too',
  ],
])('a policy with a mistake is refused: %s', async (text, message) => {
  using directory = new TemporaryDirectory('mistakes');
  const { stderr, code } = await runProgram(program, ['policy', 'check', directory.put('p.json', text)]);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});
