import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test as alone, vi } from 'vitest';
import {
  call,
  cancel,
  failed,
  failure,
  initialize,
  notification,
  ping,
  pong,
  request,
  said,
} from './messages.ts';
import { ServerProcess } from './server-process.ts';

// Each server is given its time to end.
vi.setConfig({ testTimeout: 120_000 });

const test = alone.concurrent;

const graceMs = 50;

async function started(options: object = {}): Promise<ServerProcess> {
  const server = new ServerProcess('serve-misbehaving', { graceMs, ...options });
  await server.ask(initialize('2025-11-25'));
  server.send(notification('notifications/initialized'));
  return server;
}

const quietly = { stderr: '', code: 0, signal: null };
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

test('the end of input ends the process', async () => {
  await using server = await started();
  expect(await server.end()).toEqual({ messages: [], ...quietly });
});

test('an empty input ends the process', async () => {
  await using server = new ServerProcess('serve-misbehaving', { graceMs });
  expect(await server.end()).toEqual({ messages: [], ...quietly });
});

test('requests from before the end of input are answered after it', async () => {
  await using server = await started({ graceMs: 5_000 });
  server.send(call(1, 'after_end_of_input'), call(2, 'echo_later', { text: 'a' }), ping(3));
  const { messages, ...end } = await server.end();
  expect(end).toEqual(quietly);
  expect(messages).toHaveLength(3);
  expect(messages).toEqual(expect.arrayContaining([said(1, 'Done'), said(2, 'a'), pong(3)]));
});

test.each(['hang', 'hang_busily'])(
  'the end of input ends the process while a handler does %s',
  async (tool) => {
    await using server = await started();
    server.send(call(1, tool), ping(2));
    expect(await server.next()).toEqual(pong(2));
    expect(await server.end()).toEqual({ messages: [], ...quietly });
  },
);

test('a handler that waits for the client gets an error at the end of input', async () => {
  await using server = new ServerProcess('serve-misbehaving', { graceMs: 5_000 });
  await server.ask(initialize('2025-11-25', 'init', { elicitation: {} }));
  server.send(notification('notifications/initialized'), call(1, 'ask'));
  expect(await server.next()).toMatchObject({ method: 'elicitation/create' });
  expect(await server.end()).toEqual({ messages: [failed(1, 'The connection has ended')], ...quietly });
});

test.each(signals)('%s ends the process after the running requests are answered', async (signal) => {
  await using server = await started({ graceMs: 5_000 });
  server.send(call(1, 'repeat_later', { times: 1_000_000 }), ping(2));
  expect(await server.next()).toEqual(pong(2));
  server.child.kill(signal);
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.lines.map((line) => JSON.parse(line) as unknown)).toEqual([said(1, 'x'.repeat(1_000_000))]);
  expect(server.stderr).toBe('');
});

test.each(signals)('%s ends the process even if a handler hangs', async (signal) => {
  await using server = await started();
  server.send(call(1, 'hang_busily'), ping(2));
  expect(await server.next()).toEqual(pong(2));
  server.child.kill(signal);
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.lines).toEqual([]);
});

test.each([
  ['SIGTERM', false],
  ['SIGHUP', false],
  ['SIGTERM', true],
  ['SIGHUP', true],
] as const)(
  '%s ends a process before its host kills it (after the end of input: %s)',
  async (signal, ended) => {
    await using server = new ServerProcess('serve-misbehaving');
    await server.ask(initialize('2025-11-25'));
    server.send(notification('notifications/initialized'), call(1, 'hang_busily'), ping(2));
    expect(await server.next()).toEqual(pong(2));
    if (ended) server.child.stdin.end();
    const since = performance.now();
    server.child.kill(signal);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    // Hosts wait for two seconds or more; without the signal it would be five.
    expect(performance.now() - since).toBeLessThan(4_000);
  },
);

test('no new request is served after a signal to stop', async () => {
  await using server = await started({ graceMs: 1_000, maxRunning: 2 });
  server.send(call(1, 'say_when_asked_to_stop'), call(2, 'print', { text: 'before' }));
  expect(await server.next()).toEqual(said(2, 'Printed'));
  server.child.kill('SIGTERM');
  await server.until(() => server.stderr.includes('asked to stop'));
  server.send(call(3, 'print', { text: 'after' }));
  server.child.kill('SIGUSR2');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.lines.map((line) => JSON.parse(line) as unknown)).toEqual([said(1, 'Stopped')]);
  expect(server.stderr).not.toContain('after');
});

test('a second signal ends the process at once', async () => {
  await using server = await started({ graceMs: 600_000 });
  server.send(call(1, 'say_when_asked_to_stop', { hang: true }), ping(2));
  expect(await server.next()).toEqual(pong(2));
  server.child.kill('SIGTERM');
  await server.until(() => server.stderr.includes('asked to stop'));
  server.child.kill('SIGINT');
  expect(await server.ended).toEqual({ code: null, signal: 'SIGINT' });
});

test('the process ends without an error message when its client closes stdout', async () => {
  await using server = await started();
  server.child.stdout.destroy();
  server.send(...Array.from({ length: 100 }, (_, id) => ping(id)));
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
});

test('a client that does not read stderr is served', async () => {
  await using server = await started();
  server.child.stderr.destroy();
  for (let id = 0; id < 100; id++) server.send(notification('notifications/unheard_of'), ping(id));
  expect(await server.take(100)).toHaveLength(100);
  expect(await server.end()).toMatchObject({ messages: [], code: 0 });
});

test('output that a handler prints to stdout goes to stderr', async () => {
  await using server = await started();
  expect(await server.ask(call(1, 'print', { text: 'something' }))).toEqual(said(1, 'Printed'));
  expect(await server.end()).toEqual({
    messages: [],
    ...quietly,
    stderr: 'console.log something\nstdout.write something\n',
  });
});

test.each(['at once', 'later'])(
  'a callback "onWarning" that fails %s ends no process',
  async (throwingWarn) => {
    await using server = await started({ throwingWarn });
    expect(await server.ask(call(1, 'forget_a_rejection'))).toEqual(said(1, 'Forgotten'));
    await server.until(() =>
      server.stderr.includes('The callback "onWarning" has failed: Error: Warned carelessly'),
    );
    expect(await server.ask(ping(2))).toEqual(pong(2));
    expect(await server.end()).toMatchObject({ code: 0, signal: null });
  },
);

test('an unhandled rejection does not end the process', async () => {
  await using server = await started();
  expect(await server.ask(call(1, 'forget_a_rejection'))).toEqual(said(1, 'Forgotten'));
  await server.until(() =>
    server.stderr.includes('Unhandled rejection: Error: A forgotten rejection\n    at '),
  );
  expect(await server.ask(ping(2))).toEqual(pong(2));
  expect(await server.end()).toMatchObject({ messages: [], code: 0 });
});

test.each([
  ['in a timer', [call(1, 'throw_in_a_timer')], 'Thrown in a timer'],
  ['by a listener', [call(1, 'throw_when_cancelled'), cancel(1)], 'Thrown by a listener'],
])(
  'an uncaught exception %s ends the process after the running requests are answered',
  async (_, messages, what) => {
    await using server = await started({ graceMs: 5_000 });
    server.send(call('slow', 'after_uncaught'), ...messages);
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.stderr).toContain(`Uncaught exception: Error: ${what}\n    at `);
    expect(server.lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(said('slow', 'Answered'));
  },
);

test('an exception ends a process whose stderr is closed and whose author prints warnings', async () => {
  const code = `
    import { defineServer, defineTool } from '@mcp/protocol';
    import { serveStdio } from '@mcp/protocol/stdio';
    const run = () => void setTimeout(() => { throw new Error('Thrown in a timer'); });
    const tools = [defineTool({ name: 'throw', description: 'Throws.', run })];
    const server = defineServer({ name: 'throwing', version: '1.0.0', tools });
    await serveStdio(server, { graceMs: 50, onWarning: (message) => process.stderr.write(message + '\\n') });
  `;
  const child = spawn(process.execPath, ['--conditions=@mcp/source', '--input-type=module', '--eval', code], {
    cwd: import.meta.dirname,
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  child.stderr.destroy();
  child.stdin.write(`${JSON.stringify(initialize('2025-11-25'))}\n${JSON.stringify(call(1, 'throw'))}\n`);
  child.stdout.resume();
  expect(await once(child, 'exit')).toEqual([1, null]);
});

test('a warning quotes at most a few hundred characters from the client, without control characters', async () => {
  await using server = await started();
  server.send(
    notification(`\u001b[2J${'x'.repeat(100_000)}`),
    { jsonrpc: '2.0', id: `\u001b[2J${'x'.repeat(100_000)}`, result: {} },
    request('\u001b[2J', 'resources/read', { uri: 'thing:///a' }),
  );
  await server.next();
  const { stderr } = await server.end();
  const shown = String.raw`"\u{1b}[2J${'x'.repeat(96)}…${'x'.repeat(100)}"`;
  expect(stderr).toBe(`Unknown notification: ${shown}\nResponse with an unknown request id: ${shown}\n`);
});

test('protocol messages that a handler prints do not reach the client', async () => {
  await using server = await started();
  server.send(call(1, 'print', { text: `\n${JSON.stringify(failure(1, -1, 'forged'))}` }));
  expect(await server.next()).toEqual(said(1, 'Printed'));
  expect(await server.end()).toMatchObject({ messages: [], code: 0 });
});

test('a response whose id is 900 levels deep causes a warning, and the server continues', async () => {
  await using server = await started();
  server.write(`{"jsonrpc":"2.0","id":${'['.repeat(900)}${']'.repeat(900)},"result":{}}\n`);
  server.send(call(1, 'echo', { text: 'still here' }));
  expect(await server.next()).toEqual(said(1, 'still here'));
  const { stderr, code } = await server.end();
  expect({ stderr, code }).toEqual({ stderr: 'Response with an unknown request id: nothing\n', code: 0 });
});
