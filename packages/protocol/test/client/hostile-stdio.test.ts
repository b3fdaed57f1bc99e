import { Client, ClientError, InvalidResult } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { describe, expect, test } from 'vitest';
import { named, script, sessionScript, statelessScript } from './scripted-server.ts';

// An exception outside a promise would fail these tests as an unhandled error.
test.each<[string, string]>([
  ['a notification whose params are null', `send({ method: 'notifications/message', params: null });`],
  ['progress whose params are null', `send({ method: 'notifications/progress', params: null });`],
  [
    'an update whose uri is an object without a prototype',
    `send({ method: 'notifications/resources/updated', params: { uri: { toString: 1 } } });`,
  ],
  [
    'a response without a request, 8,000 levels deep',
    `process.stdout.write('{"jsonrpc":"2.0","id":999,"result":' + '{"a":'.repeat(8000) + '1' + '}'.repeat(8000) + '}\\n');`,
  ],
  ['a request whose params are a list', `send({ id: 7, method: 'roots/list', params: [1] });`],
  ['a cancellation without an id', `send({ method: 'notifications/cancelled', params: { requestId: {} } });`],
  ['a log message without a level', `send({ method: 'notifications/message', params: { level: {} } });`],
  ['a batch of invalid messages', `process.stdout.write('[1,null,[],{"id":{}}]\\n');`],
])('a client still works after %s', async (_what, sends) => {
  for (const server of [sessionScript, statelessScript]) {
    const code = `on['tools/call'] = () => { ${sends} return complete; };`;
    await using client = await Client.connect(server(code), { logLevel: 'debug', onLog() {} });
    expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'done' }] });
    expect(await client.listTools()).toHaveLength(1);
  }
});

test('lines on stdout that are no messages are ignored with a warning', async () => {
  const warnings: string[] = [];
  const server = statelessScript(`console.log('Starting up …'); console.log('{"half":');`);
  await using client = await Client.connect(server, { onWarning: (message) => warnings.push(message) });
  expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'done' }] });
  expect(warnings[0]).toMatch(/Not JSON.*Starting up/s);
  expect(warnings).toHaveLength(2);
});

test('the error of a server that exits at its start contains the last lines of its stderr', async () => {
  const dying = script(`console.error('npm error 404 No such package'); process.exit(1);`);
  const error = await Client.connect(serverCommand(dying)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({
    phase: 'handshake',
    server: expect.stringContaining(process.execPath),
    message: expect.stringMatching(/exit code 1.*npm error 404 No such package/s),
  });
});

test('a command that does not exist is an error of the phase spawn', async () => {
  await expect(Client.connect(serverCommand({ command: 'no-such' }))).rejects.toMatchObject({
    phase: 'spawn',
    server: 'no-such',
  });
});

test('a handshake with a server that never answers ends after its timeouts', async () => {
  const silent = named(
    { command: process.execPath, args: ['-e', 'process.stdin.resume()'], stopGraceMs: 100 },
    'silent.js',
  );
  const connecting = Client.connect(silent, { probeTimeoutMs: 100, timeoutMs: 200 });
  await expect(connecting).rejects.toMatchObject({
    phase: 'handshake',
    message: expect.stringContaining('No response to initialize within 200 ms'),
  });
});

test('a second response to a request, and one without a request, are ignored with a warning', async () => {
  const warnings: string[] = [];
  const code = `on['tools/call'] = (params, id) => {
    send({ id: String(id), result: { content: [{ type: 'text', text: 'foreign' }] } });
    send({ id, result: complete });
    send({ id, result: { content: [{ type: 'text', text: 'second' }] } });
  };`;
  await using client = await Client.connect(statelessScript(code), {
    onWarning: (text) => warnings.push(text),
  });
  expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'done' }] });
  await client.listTools();
  expect(warnings).toEqual([
    expect.stringMatching(/Ignored a response with the unknown id "\d+"/),
    expect.stringMatching(/Ignored a response with the unknown id \d+/),
  ]);
});

test('a response of 100 MB fails its call at once, in bounded memory, and the next call works', async () => {
  const code = `const chunk = Buffer.alloc(1024 * 1024, 'x');
    let first = true;
    on['tools/call'] = () => {
      if (!first) return complete;
      first = false;
      process.stdout.write('{"jsonrpc":"2.0","id":');
      for (let n = 0; n < 100; n++) process.stdout.write(chunk);
      process.stdout.write('\\n');
    };`;
  const server = statelessScript(code, { maxMessageBytes: 8 * 1024 * 1024 });
  await using client = await Client.connect(server, { timeoutMs: 30_000 });
  const before = process.memoryUsage().rss;
  await expect(client.callTool('any')).rejects.toThrow('A message may have at most 8388608 bytes');
  expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'done' }] });
  expect(process.memoryUsage().rss - before).toBeLessThan(90 * 1024 * 1024);
});

test('a call is answered after a flood of 100,000 notifications', async () => {
  const code = `on['tools/call'] = () => {
    for (let n = 0; n < 100_000; n++) send({ method: 'notifications/progress', params: { progressToken: n, progress: n } });
    return complete;
  };`;
  await using client = await Client.connect(statelessScript(code));
  expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'done' }] });
});

test.each([
  ['requests', `'r' + n`],
  ['requests with one id', `'r'`],
])(
  'of a flood of %s, a bounded number is answered at once and the rest refused',
  async (_what, requestId) => {
    const code = `let answers = [];
    on['tools/call'] = (params, id) => {
      for (let n = 0; n < 100; n++) send({ id: ${requestId}, method: 'roots/list' });
      send({ method: 'notifications/message', params: { level: 'info', data: 'All are sent' } });
      const wait = setInterval(() => {
        answers = received.filter(({ method }) => method === undefined);
        if (answers.length < 100) return;
        clearInterval(wait);
        send({ id, result: { content: [{ type: 'text', text: String(answers.filter(({ error }) => error).length) }] } });
      }, 5);
    };`;
    let allReceived = () => {};
    const received = new Promise<void>((resolve) => (allReceived = resolve));
    await using client = await Client.connect(sessionScript(code), {
      roots: () => received.then(() => []),
      onLog: () => allReceived(),
    });
    expect(await client.callTool('any')).toMatchObject({ content: [{ text: '68' }] });
  },
);

describe('a list', () => {
  test.each<[string, string, string]>([
    [
      'a cursor that is repeated',
      `() => ({ tools: [tool], nextCursor: 'a' })`,
      '"nextCursor" "a" is repeated',
    ],
    ['endless pages', `() => ({ tools: [tool], nextCursor: String(n++) })`, 'more than 50 pages'],
    [
      'a cursor that is a number',
      `() => ({ tools: [tool], nextCursor: 5 })`,
      '"nextCursor" must be a string',
    ],
  ])('a list with %s is an error', async (_what, answer, message) => {
    const server = statelessScript(`let n = 0; on['tools/list'] = ${answer};`);
    await using client = await Client.connect(server, { maxPages: 50 });
    await expect(client.listTools()).rejects.toThrow(message);
  });

  test('a list ends with a cursor that is null', async () => {
    await using client = await Client.connect(
      statelessScript(`on['tools/list'] = () => ({ tools: [tool], nextCursor: null });`),
    );
    expect(await client.listTools()).toHaveLength(1);
  });
});

test('a client disconnects from a server whose revision it does not know', async () => {
  const server = sessionScript(
    `on.initialize = () => ({ protocolVersion: '1999-01-01', capabilities: {}, serverInfo: {} });`,
  );
  await expect(Client.connect(server)).rejects.toMatchObject({
    phase: 'handshake',
    message: expect.stringContaining('"1999-01-01"'),
  });
});

const invalid = `null, 1, [], 'x', true`;
test.each([
  ['tools/list', (client: Client) => client.listTools(), 'tools'],
  ['resources/list', (client: Client) => client.listResources(), 'resources'],
  ['resources/templates/list', (client: Client) => client.listResourceTemplates(), 'resourceTemplates'],
  ['prompts/list', (client: Client) => client.listPrompts(), 'prompts'],
  ['tools/call', (client: Client) => client.callTool('any'), 'content'],
  ['resources/read', (client: Client) => client.readResource('x:///'), 'contents'],
  ['prompts/get', (client: Client) => client.getPrompt('x'), 'messages'],
  [
    'completion/complete',
    (client: Client) => client.complete({ prompt: 'x' }, { name: 'a', value: '' }),
    'completion',
  ],
] as const)('an invalid result of %s ends in an error that says so', async (method, call, field) => {
  // Each value in turn replaces the field, an item of it, and a field of that.
  const code = `const values = [${invalid}];
    const results = values.flatMap((value) => [{ ${field}: value }, { ${field}: [value] }, { ${field}: [{ type: value, name: value, uri: value }] }]);
    results.push({ ${field}: [{ type: 'text' }] }, { ${field}: [{ role: 'user', content: { type: 'image' } }] });
    let n = 0;
    on['${method}'] = () => results[n++ % results.length];`;
  await using client = await Client.connect(statelessScript(code));
  for (let n = 0; n < 17; n++) {
    const outcome = await call(client).then(
      (result) => result,
      (error: unknown) => error,
    );
    // An empty list is a list.
    if (!(outcome instanceof Error)) continue;
    expect(outcome).toMatchObject({ phase: 'call', method, cause: expect.any(InvalidResult) });
  }
});

test('a result that is not an object fails its call', async () => {
  await using client = await Client.connect(
    statelessScript(`on['tools/call'] = (params, id) => { send({ id, result: 5 }); };`),
  );
  await expect(client.callTool('any')).rejects.toThrow('"result" must be an object');
});

test('a subscription without acknowledgement fails after its timeout', async () => {
  const server = statelessScript(`on['subscriptions/listen'] = () => undefined;`);
  await using client = await Client.connect(server, { timeoutMs: 100 });
  await expect(client.subscribe('x:///', () => {})).rejects.toThrow(
    'The server did not send notifications/subscriptions/acknowledged within 100 ms',
  );
  await expect(client.watchList('tools', () => {})).rejects.toThrow(
    'The server did not send notifications/subscriptions/acknowledged within 100 ms',
  );
});
