import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { fixtureProgram } from './fixtures/fixture-program.ts';
import { call, modernMeta } from './hostile/messages.ts';
import { EventReader } from './http/events.ts';
import { HttpWire } from './http/http-wire.ts';
import { stateless } from './requirements/wire.ts';

const program = fixtureProgram('serve-operated.ts');

function start(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [program, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The lines of a program on stderr, from now on. */
function linesOf({ stderr }: ChildProcessWithoutNullStreams): () => Promise<string> {
  const lines = createInterface(stderr)[Symbol.asyncIterator]();
  return async () => String((await lines.next()).value);
}

async function listening(...args: string[]) {
  const child = start('--http', '0', ...args);
  const next = linesOf(child);
  const url = (await next()).replace('Listening on ', '');
  const wire = (version: string) => HttpWire.to({ url, close: () => Promise.resolve() }, version);
  const statusOf = async (path: string) => (await fetch(new URL(path, url))).status;
  return { child, next, url, wire, statusOf };
}

test.each([
  [['--health'], 'The option "--health" has no effect without --http'],
  [['--metrics', '9464'], 'The option "--metrics" has no effect without --http'],
  [['--http', '0', '--metrics', 'unix:/x'], 'Invalid --metrics: "unix:/x"; expected [host:]port'],
  [['--http', '0', '--metrics', 'all'], 'Invalid --metrics: "all"; expected [host:]port'],
  [['--card', 'a.example/b=https://a.example/mcp'], 'The option "--card" has no effect without --http'],
  [
    ['--http', '0', '--card', 'https://a.example/mcp'],
    'Invalid --card: "https://a.example/mcp"; expected com.example/name=https://host/mcp',
  ],
  [['--http', '0', '--drain', '1s'], 'Invalid --drain: "1s"; expected seconds from 0 to 9999'],
])('%j is refused', async (args, message) => {
  const child = start(...args);
  expect(await text(child.stderr)).toBe(`operated: ${message}\nRun with --help for usage\n`);
});

test('--card publishes the description of the program, and its version', async () => {
  const { url } = await listening('--card', 'com.example/notes=https://notes.example/mcp');
  const card = (await (await fetch(`${url}/server-card`)).json()) as object;
  expect(card).toMatchObject({ name: 'com.example/notes', version: '1.0.0', description: 'Is operated' });
  expect(card).toMatchObject({ remotes: [{ url: 'https://notes.example/mcp' }] });
});

test('after SIGTERM, --drain answers requests, is not ready, and tells clients to come back elsewhere', async () => {
  const { child, wire, statusOf } = await listening('--health', '--drain', '60');
  expect(await statusOf('/readyz')).toBe(200);
  const old = wire('2025-11-25');
  await old.handshake();
  const stream = new EventReader(await old.get());
  await stream.next();
  const modern = wire(stateless);
  const listen = { notifications: { resourceSubscriptions: ['note:///a'] } };
  const subscribed = new EventReader(await modern.ask('subscriptions/listen', listen));
  await subscribed.next();
  const params = { name: 'wait', arguments: {} };
  const running = new EventReader(
    await modern.send(modern.request('tools/call', params, { progressToken: 1 })),
  );
  await running.message();
  child.kill('SIGTERM');
  expect((await stream.rest()).at(-1)).toEqual({ retry: '1000' });
  const last = (await subscribed.rest()).at(-1);
  expect(last?.data).toContain('"result"');
  expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200]);
  const answer = await old.ask('tools/list');
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  child.stdin.end();
  expect(await running.message()).toMatchObject({ result: { content: [{ text: 'Done' }] } });
});

test('without --drain, the process ends when its requests have', async () => {
  const { child, wire } = await listening();
  const old = wire('2025-11-25');
  await old.handshake();
  const stream = new EventReader(await old.get());
  child.kill('SIGTERM');
  expect((await stream.rest()).at(-1)).toEqual({ retry: '1000' });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('--metrics prints its address', async () => {
  const { next, wire } = await listening('--metrics', '0');
  await (await wire(stateless).ask('tools/list')).text();
  const [, url = ''] = /^Metrics at (\S+)$/.exec(await next()) ?? [];
  expect(await (await fetch(url)).text()).toContain('mcp_requests_total{method="tools/list",outcome="ok"} 1');
});

const stamped = { time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) };

test('--log-json writes warnings and requests over HTTP, each as one line', async () => {
  const child = start('--http', '0', '--log-json');
  const next = linesOf(child);
  const entry = async () => JSON.parse(await next()) as { url: string };
  const told = await entry();
  expect(told).toEqual({ ...stamped, level: 'info', message: 'Listening', url: expect.any(String) });
  const wire = HttpWire.to({ url: told.url, close: () => Promise.resolve() }, '2025-06-18');
  await wire.handshake();
  expect(await entry()).toMatchObject({ message: 'request', method: 'initialize', outcome: 'ok' });
  const hostile = 'a\n{"level":"error"}\u2028\u001B[2J"';
  await (await wire.call(hostile + 'x'.repeat(1_000), { secret: 'shh' })).text();
  const line = await next();
  expect(JSON.parse(line)).toEqual({
    ...stamped,
    level: 'info',
    message: 'request',
    method: 'tools/call',
    name: hostile.padEnd(200, 'x'),
    outcome: 'error',
    ms: expect.any(Number),
  });
  expect(line).not.toContain('\u001B');
  expect(line).not.toContain('shh');
  await (await wire.call('broken')).text();
  const warning = await next();
  expect(JSON.parse(warning)).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('TypeError'),
  });
  const failed = await next();
  expect(JSON.parse(failed)).toMatchObject({ name: 'broken', outcome: 'tool_error' });
});

test('--log-json writes them over stdio too', async () => {
  const child = start('--log-json');
  child.stdin.end(`${JSON.stringify(call(1, 'broken', {}, modernMeta()))}\n`);
  const lines = (await text(child.stderr)).trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as object);
  expect(entries).toMatchObject([{ level: 'warning' }, { message: 'request', name: 'broken' }]);
});
