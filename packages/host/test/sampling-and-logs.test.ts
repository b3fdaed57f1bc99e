import { afterAll, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

const answer = JSON.stringify({ role: 'assistant', model: 'm', content: { type: 'text', text: 'blue' } });

test.each([[], ['--revision', '2025-06-18']])(
  'the command of --sampling reads a request as JSON and writes its result, with %j',
  async (...revision) => {
    const { stdout, stderr, code } = await workspace.mcp([
      'call',
      'fix.ask',
      ...revision,
      '--sampling',
      `cat >&2; echo '${answer}'`,
    ]);
    expect(JSON.parse(stderr)).toMatchObject({
      maxTokens: 10,
      messages: [{ content: { text: 'Name a colour.' } }],
    });
    expect({ stdout, code }).toEqual({ stdout: `The model says ${answer}\n`, code: 0 });
  },
);

test.each([[[]], [['--revision', '2025-06-18']]])(
  'without --sampling a request is refused, and the message names the option, with %j',
  async (revision) => {
    const { stdout, stderr, code } = await workspace.mcp(['call', 'fix.ask', ...revision]);
    expect(code).toBe(5);
    expect(stdout + stderr).toContain('"sampling"');
    expect(stderr).toContain(
      "with --sampling '<command>', a command answers the sampling requests of servers",
    );
  },
);

test.each([
  ['exit 3', 'The command of --sampling ended with exit code 3'],
  ['echo nonsense', 'The command of --sampling printed no JSON'],
  ['echo 5', 'The command of --sampling must print {"role":"assistant"'],
])('the command %j of --sampling refuses the request', async (command, message) => {
  const { stderr, stdout, code } = await workspace.mcp(['call', 'fix.ask', '--sampling', command]);
  expect(stdout + stderr).toContain(message);
  expect(code).not.toBe(0);
});

test('--log prints the log messages of a call on stderr, one line each', async () => {
  const { stdout, stderr } = await workspace.mcp(['call', 'fix.noisy', '--log', 'info']);
  expect(stdout).toBe('done\n');
  expect(stderr).toBe('fix warning disk {"what":"a\\nproblem"}\n');
  const json = await workspace.mcp(['--json', 'call', 'fix.noisy', '--log', 'debug']);
  expect(
    json.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { server: 'fix', level: 'debug', data: 'a detail' },
    { server: 'fix', level: 'warning', logger: 'disk', data: { what: 'a\nproblem' } },
  ]);
});

test('mcp log follows the messages of a server before 2026-07-28, from the level on', async () => {
  const script = workspace.directory.put(
    'chatty.cjs',
    `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
      const info = { protocolVersion: '2025-06-18', capabilities: { logging: {} }, serverInfo: { name: 'c', version: '1' } };
      if (id !== undefined)
        send({ id, ...(method === 'initialize' || method === 'logging/setLevel' ? { result: method === 'initialize' ? info : {} } : { error: { code: -32601, message: 'no' } }) });
      if (method === 'logging/setLevel')
        for (const data of ['one', 'two\\u001b[2J', 'three']) send({ method: 'notifications/message', params: { level: params.level, data } });
    });`,
  );
  const chatty = new Workspace({ chatty: { command: process.execPath, args: [script] } });
  try {
    const { stdout, stderr, code } = await chatty.mcp(['log', 'chatty', '--level', 'error', '--count', '2']);
    expect({ stdout, code }).toEqual({ stdout: 'chatty error one\nchatty error two\n', code: 0 });
    expect(stderr).toBe('following chatty from level error\n');
    const json = await chatty.mcp(['--json', 'log', 'chatty', '--count', '1']);
    expect(JSON.parse(json.stdout)).toEqual({ server: 'chatty', level: 'info', data: 'one' });
  } finally {
    chatty[Symbol.dispose]();
  }
});

test('mcp log ends with 4 when its server does', async () => {
  const script = workspace.directory.put(
    'dying.cjs',
    `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const info = { protocolVersion: '2025-06-18', capabilities: { logging: {} }, serverInfo: { name: 'd', version: '1' } };
      const result = method === 'initialize' ? info : method === 'logging/setLevel' ? {} : undefined;
      const answer = result ? { result } : { error: { code: -32601, message: 'no' } };
      if (id === undefined) return;
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n', () => {
        if (method === 'logging/setLevel') process.exit(3);
      });
    });`,
  );
  const dying = new Workspace({ dying: { command: process.execPath, args: [script] } });
  try {
    const { stderr, code } = await dying.mcp(['log', 'dying']);
    expect(stderr).toContain('dying: the server has ended');
    expect(code).toBe(4);
  } finally {
    dying[Symbol.dispose]();
  }
});

test('mcp log explains that a server of 2026-07-28 sends its messages with calls', async () => {
  const { stderr, code } = await workspace.mcp(['log', 'fix']);
  expect(stderr).toContain('In revision 2026-07-28, a server sends log messages only during a call');
  expect(stderr).toMatch(/^  mcp --config \S+ call fix\.<tool> --log info; or, in an older revision, /m);
  expect(code).toBe(5);
});

test('an unknown level is refused with the levels there are', async () => {
  const { stderr, code } = await workspace.mcp(['log', 'fix', '--level', 'loud']);
  expect(stderr).toContain('Invalid --level: "loud"; expected debug, info, notice, warning');
  expect(code).toBe(1);
});
