import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkedJsonSchema } from '@mcp/protocol/json-schema';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { policySchema } from '../../src/policy/policy-schema.ts';
import { smallServer } from '../small-server.ts';
import { GatewayProgram, probeServer, program, textOf } from './gateway-program.ts';

const echoed = {
  TOOLS: 'echo pid danger',
  SCHEMA: JSON.stringify({
    type: 'object',
    properties: { text: { type: 'string' }, branch: { type: 'string' }, mode: { type: 'string' } },
    required: ['text', 'branch'],
  }),
};

/** A gateway with these rules in front of the servers `small` and `probe`. */
function gatewayWith(policy: object, ...args: string[]) {
  const directory = new TemporaryDirectory('policy');
  const file = directory.put('policy.json', `// Rules\n${JSON.stringify(policy)}`);
  const servers = { small: smallServer(directory, echoed), probe: probeServer('probe') };
  const gateway = new GatewayProgram(servers, '--policy', file, ...args);
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });
  return { gateway, directory };
}

describe.each(['2026-07-28', '2025-06-18'])('to a client of %s, a policy', (revision) => {
  test('hides, renames and describes tools, and fixes, renames and limits arguments', async () => {
    const { gateway } = gatewayWith({
      rules: [
        { server: 'small', tool: 'd*', hide: true },
        {
          server: 'sm*',
          tool: 'echo',
          rename: 'say',
          describe: 'Says it.',
          arguments: {
            branch: { value: 'main' },
            text: { rename: 'words', describe: 'The words' },
            mode: { default: 'plain', allow: ['plain', 'loud'] },
          },
        },
      ],
    });
    const client = await gateway.stdio({ revision });
    const tools = (await client.listTools()).filter(({ name }) => name.startsWith('small'));
    expect(tools.map(({ name }) => name)).toEqual(['small__say', 'small__pid']);
    expect(tools[0]).toMatchObject({
      description: 'Says it.',
      inputSchema: {
        properties: {
          words: { type: 'string', description: 'The words' },
          mode: { type: 'string', default: 'plain', enum: ['plain', 'loud'] },
        },
        required: ['words'],
      },
    });
    const call = async (args: object) => textOf(await client.callTool('small__say', { ...args }));
    expect(JSON.parse(await call({ words: 'a' }))).toEqual({ text: 'a', branch: 'main', mode: 'plain' });
    const raw = async (args: object) =>
      textOf((await client.request('tools/call', { name: 'small__say', arguments: args })) as never);
    expect(await raw({ words: 'a', mode: 'odd' })).toBe('Invalid "mode"; expected one of "plain","loud"');
    expect(await raw({ text: 'a' })).toBe('Unknown argument "text"; it is "words"');
    expect(await raw({ words: 'a', branch: 'evil' })).toBe('Unknown argument "branch"');
    for (const name of ['small__danger', 'small__echo', 'danger'])
      await expect(client.request('tools/call', { name, arguments: {} })).rejects.toThrow('Unknown tool');
  });

  test.each(['legacy', 'modern'])(
    'limits what a %s server sends during a call by the size of results',
    async (era) => {
      const directory = new TemporaryDirectory('policy-messages');
      onTestFinished(() => directory[Symbol.dispose]());
      const rules = [{ tool: 'log', maxResultBytes: 200 }];
      const file = directory.put('p.json', JSON.stringify({ rules }));
      const gateway = new GatewayProgram({ probe: probeServer('probe', era) }, '--policy', file);
      onTestFinished(() => gateway[Symbol.asyncDispose]());
      const logs: unknown[] = [];
      const onLog = ({ data }: { readonly data: unknown }) => logs.push(data);
      const client = await gateway.stdio({ revision, logLevel: 'info', onLog });
      const messagesOf = async (text: string) => {
        logs.length = 0;
        const steps: unknown[] = [];
        const onProgress = (...step: readonly unknown[]) => steps.push(step);
        expect(textOf(await client.callTool('probe__log', { text }, { onProgress }))).toBe('logged');
        return { steps, logs: [...logs] };
      };
      const [short, long, longer] = [10, 100, 300].map((length) => 'x'.repeat(length));
      expect(await messagesOf(short!)).toEqual({ steps: [[1, 2, short]], logs: [short] });
      expect(await messagesOf(long!)).toEqual({ steps: [[1, 2, long]], logs: [] });
      expect(await messagesOf(longer!)).toEqual({ steps: [[1, 2, undefined]], logs: [] });
    },
  );

  test.each(['legacy', 'modern', ''])(
    'asks before a call of a %s server, and calls only then',
    async (era) => {
      const directory = new TemporaryDirectory('policy-confirm');
      onTestFinished(() => directory[Symbol.dispose]());
      const file = directory.put('p.json', JSON.stringify({ rules: [{ tool: 'echo', confirm: 'Really?' }] }));
      const probe = probeServer('probe', ...(era === '' ? [] : [era]));
      const gateway = new GatewayProgram({ probe }, '--policy', file);
      onTestFinished(() => gateway[Symbol.asyncDispose]());
      const asked: string[] = [];
      let isAllowed = true;
      const client = await gateway.stdio({
        revision,
        elicit: ({ message }) => {
          asked.push(message);
          return Promise.resolve({ action: 'accept', content: { allow: isAllowed } });
        },
      });
      expect(textOf(await client.callTool('probe__echo', { text: 'Hi' }))).toBe('Hi');
      isAllowed = false;
      expect(textOf(await client.callTool('probe__echo', { text: 'Ho' }))).toBe(
        'The user has not confirmed this call',
      );
      expect(asked).toEqual(['Really?\n{"text":"Hi"}', 'Really?\n{"text":"Ho"}']);
      const mute = await gateway.stdio({ revision });
      expect(textOf(await mute.callTool('probe__echo', { text: 'Hi' }))).toContain('this client cannot ask');
    },
  );
});

test('rates, sizes and clients: each caller has its own', async () => {
  const { gateway } = gatewayWith({
    rules: [
      { tool: 'pid', client: 'trusted*', rate: { calls: 5, seconds: 3_600 } },
      { tool: 'pid', client: 'bot', rate: { calls: 1, seconds: 3_600 } },
      { tool: 'echo', server: 'small', maxArgumentBytes: 60, maxResultBytes: 80 },
      { tool: 'danger', principal: 'nobody', hide: false },
      { tool: 'danger', hide: true },
    ],
  });
  const client = await gateway.http({ name: 'bot' });
  const other = await gateway.http({ name: 'trusted-one' });
  const pid = async (of: typeof client) => textOf(await of.callTool('small__pid', { text: '', branch: '' }));
  expect(await pid(client)).toMatch(/^\d+$/);
  expect(await pid(client)).toMatch(/^Too many calls; try again in \d+ s$/);
  expect(await pid(other)).toMatch(/^\d+$/);
  expect(await pid(other)).toMatch(/^\d+$/);
  const echo = async (text: string) => textOf(await client.callTool('small__echo', { text, branch: '' }));
  expect(await echo('x'.repeat(50))).toBe('The arguments have 73 bytes, and at most 60 are allowed');
  expect(await echo('x'.repeat(30))).toMatch(
    /^The result has \d+ bytes, and at most 80 are allowed: ask for less$/,
  );
  expect((await client.listTools()).map(({ name }) => name)).not.toContain('small__danger');
});

test('--lazy lists, describes and calls by the same rules', async () => {
  const rules = [
    {
      tool: 'echo',
      server: 'small',
      describe: 'Says it.',
      rename: 'say',
      arguments: { branch: { value: 'main' } },
    },
    { tool: 'danger', hide: true },
  ];
  const { gateway } = gatewayWith({ rules }, '--lazy');
  const client = await gateway.stdio();
  const listed = textOf(await client.callTool('list_tools', { server: 'small' }));
  expect(listed.split('\n')).toEqual(['small__say: Says it.', 'small__pid: Does pid']);
  expect(textOf(await client.callTool('describe_tool', { name: 'small__say' }))).not.toContain('branch');
  const call = { name: 'small__say', arguments: { text: 'a' } };
  expect(textOf(await client.callTool('call_tool', call))).toBe('{"text":"a","branch":"main"}');
});

test('the audit has a line for each call, with values only where the policy asks for them', async () => {
  const { gateway, directory } = gatewayWith({
    rules: [
      { tool: 'pid', rate: { calls: 1, seconds: 3_600 } },
      { server: 'probe', tool: 'count', hide: true },
    ],
    audit: { file: 'audit.jsonl' },
  });
  const client = await gateway.stdio({ name: 'tester' });
  await client.callTool('small__echo', { text: 's3cret', branch: '' });
  await client.callTool('small__pid', { text: '', branch: '' });
  await client.callTool('small__pid', { text: '', branch: '' });
  await client.callTool('probe__fail');
  await expect(client.callTool('small__nothing')).rejects.toThrow();
  await expect(client.callTool('probe__count')).rejects.toThrow();
  await expect(client.readResource('test://shared?token=s3cret')).rejects.toThrow();
  await client.close();
  const file = join(directory.root, 'audit.jsonl');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('s3cret');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ server, name, outcome }) => [server, name, outcome])).toEqual([
    ['small', 'small__echo', 'ok'],
    ['small', 'small__pid', 'ok'],
    ['small', 'small__pid', 'refused'],
    ['probe', 'probe__fail', 'error'],
    [undefined, 'small__nothing', 'error'],
    ['probe', 'probe__count', 'refused'],
    ['probe', 'test://shared?token=••••', 'error'],
  ]);
  expect(lines[0]).toMatchObject({
    time: expect.stringMatching(/^\d{4}-/),
    client: 'tester',
    method: 'tools/call',
    ms: expect.any(Number),
    argumentBytes: 29,
    resultBytes: expect.any(Number),
  });
  expect(lines[0]).not.toHaveProperty('arguments');
});

test('the audit has the arguments where it is told to', async () => {
  const { gateway, directory } = gatewayWith({ audit: { file: 'a.jsonl', values: true } });
  const client = await gateway.stdio();
  await client.callTool('small__echo', { text: 'seen', branch: '' });
  await client.close();
  expect(readFileSync(join(directory.root, 'a.jsonl'), 'utf8')).toContain(
    '"arguments":{"text":"seen","branch":""}',
  );
});

test('--set serves the servers of a group', async () => {
  const { gateway } = gatewayWith({ sets: { work: ['small'] } }, '--set', 'work');
  const client = await gateway.stdio();
  expect((await client.listTools()).map(({ name }) => name)).toEqual([
    'small__echo',
    'small__pid',
    'small__danger',
  ]);
});

describe('a file with rules', () => {
  const schema = checkedJsonSchema(policySchema as never);
  const isValid = (value: unknown) => {
    const result = schema['~standard'].validate(value);
    return !('issues' in (result as object)) || (result as { issues?: unknown }).issues === undefined;
  };

  /** Runs `mcp policy check` on a policy. */
  async function check(policy: unknown, ...words: string[]) {
    using directory = new TemporaryDirectory('policy-check');
    const file = directory.put('policy.json', JSON.stringify(policy, null, 1));
    const env = { PATH: process.env['PATH'] ?? '', HOME: directory.outside };
    return await runProgram(program, ['policy', 'check', file, ...words], { env, cwd: directory.root });
  }

  test.each([
    [{ ruls: [] }, 'policy.json:2: ruls: Unknown key; did you mean "rules"?'],
    [{ rules: [{ tool: [] }] }, 'policy.json:4: rules[0].tool: Expected a name'],
    [{ rules: [{ hide: 'yes' }] }, 'policy.json:4: rules[0].hide: Expected true or false'],
    [{ rules: [{ tool: 'a', rename: 'b c' }] }, 'rules[0].rename: Expected letters'],
    [{ rules: [{ rate: { calls: 0, seconds: 1 } }] }, 'rules[0].rate.calls: Expected a whole number from 1'],
    [{ rules: [{ rate: { calls: 1 } }] }, 'rules[0].rate.seconds: Missing'],
    [{ rules: [{ maxResultBytes: 1 }] }, 'rules[0].maxResultBytes: Expected a whole number from 2'],
    [{ rules: [{ arguments: { a: { allow: [] } } }] }, 'rules[0].arguments.a.allow: Expected the values'],
    [{ sets: { a: [] } }, 'sets.a: Expected names of servers'],
    [{ audit: {} }, 'audit.file: Missing'],
    [[], 'Expected an object'],
  ])('with a fault is refused with its line, and by its JSON Schema: %j', async (policy, message) => {
    const { stderr, code } = await check(policy);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
    expect(isValid(policy)).toBe(false);
  });

  test.each([
    [{ rules: [{ tool: 'a*', rename: 'b' }] }, 'A rule that renames needs one "tool" without *'],
    [
      { rules: [{ arguments: { a: { value: 1, allow: [1] } } }] },
      'An argument with a fixed "value" has no other keys',
    ],
  ])('whose keys exclude each other is refused: %j', async (policy, message) => {
    expect((await check(policy)).stderr).toContain(message);
  });

  test('without a fault is valid, and names servers that are not configured', async () => {
    const policy = {
      $schema: 'policy.schema.json',
      rules: [{ server: ['x', 'y*'], confirm: true, arguments: { a: { value: null } }, maxArgumentBytes: 9 }],
      sets: { work: ['x'] },
    };
    expect(isValid(policy)).toBe(true);
    const { stdout, stderr, code } = await check(policy);
    expect(stdout).toMatch(/policy\.json: 1 rule, 1 set: no faults\n$/);
    expect(stderr).toBe('"x" is no server of the configuration\n');
    expect(code).toBe(8);
  });

  test('mcp policy schema prints the JSON Schema', async () => {
    const { stdout } = await runProgram(program, ['policy', 'schema']);
    expect(JSON.parse(stdout)).toEqual(policySchema);
  });

  test('that is broken is not served', async () => {
    using directory = new TemporaryDirectory('policy-broken');
    const file = directory.put('p.json', '{"rules": [');
    const { stderr, code } = await runProgram(program, ['serve', '--policy', file, '--', 'x']);
    expect(stderr).toContain(`Cannot read "${file}", line 1`);
    expect(code).toBe(1);
  });
});
