import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, revisions } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { runProgram } from '@mcp/test-kit';
import { afterAll, expect, test } from 'vitest';
import { program, Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

const { directory, env } = workspace;
const fileOf = (name: string) => join(directory.base, `${name}.jsonl`);

/** Records what the lines of `mcp shell` do. */
async function record(name: string, lines: readonly string[], ...options: string[]) {
  const input = lines.map((line) => `${line}\n`).join('');
  return workspace.mcp(['shell', '--trace', fileOf(name), ...options], { input });
}

/** Runs lines of `mcp shell` against a recording. */
function replayed(name: string, lines: readonly string[], ...options: string[]) {
  const input = lines.map((line) => `${line}\n`).join('');
  const command = ['--', process.execPath, program, 'replay', fileOf(name)];
  return runProgram(program, ['shell', ...options, ...command], { env, input });
}

const lines = [
  'tools',
  'call echo text=Hello suffix=!',
  'call fail',
  'call picture --json',
  'resources',
  'read note:///first',
  'prompts',
  'prompt greet language=french',
  'complete greet language=e',
];

test.each(revisions)('a recording at %s is answered as the server answered', async (revision) => {
  const recorded = await record(
    revision,
    lines.map((line) =>
      line
        .replace(/ (?!.*\/)|$/, ' fix.')
        .replace(/fix\. /, 'fix ')
        .replace(/(^\w+) fix\.$/, '$1 fix'),
    ),
    '--revision',
    revision,
  );
  const again = await replayed(revision, lines, '--revision', revision);
  expect(again.stderr).toBe('');
  expect(again.stdout.replaceAll(/^node$/gm, 'fix')).toBe(recorded.stdout);
  expect(again.stdout).toContain('Hello!\n');
});

test('a request that is nested too deep is refused, and the next one is answered', async () => {
  await record('deep', ['call fix.echo text=Hello'], '--revision', '2025-11-25');
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args}}}\n`;
  const input = ['{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000), '{"text":"Hello"}'].map(call).join('');
  const { stdout, code } = await runProgram(program, ['replay', fileOf('deep')], { env, input });
  expect(stdout.split('\n')).toEqual([
    expect.stringContaining('The request has more than 500 levels of nesting'),
    expect.stringContaining('"text":"Hello"'),
    '',
  ]);
  expect(code).toBe(0);
});

test('a recording is for its user alone, also where the file was there', async () => {
  writeFileSync(fileOf('old'), 'old', { mode: 0o644 });
  await record('old', ['call fix.echo text=Hello']);
  expect(statSync(fileOf('old')).mode & 0o777).toBe(0o600);
});

test('what was not recorded is an error that says what was', async () => {
  await record('one', ['call fix.echo text=Hello']);
  const { stdout, stderr } = await replayed('one', ['call echo text=Other', 'call echo text=Hello']);
  expect(stderr).toContain(
    `The recording "${fileOf('one')}" has no tools/call {"name":"echo","arguments":{"text":"Other"}}`,
  );
  expect(stdout).toContain('Hello\n');
  const warned: string[] = [];
  const client = await Client.connect(
    serverCommand({
      command: process.execPath,
      args: [program, 'replay', fileOf('one')],
      stderr: (line) => void warned.push(line),
    }),
  );
  await expect(
    client.request('tools/call', { name: 'echo', arguments: { text: 'Other' } }),
  ).rejects.toMatchObject({
    code: -32602,
    data: { recorded: [{ name: 'echo', arguments: { text: 'Hello' } }] },
  });
  await expect(client.request('tools/odd')).rejects.toMatchObject({ code: -32601, data: { recorded: [] } });
  // The operator of a host that hides errors reads them too.
  await expect.poll(() => warned).toHaveLength(2);
  expect(warned[1]).toContain(`The recording "${fileOf('one')}" has no tools/odd {}`);
  await client.close();
});

test('progress, log messages, questions and changes come as they were recorded', async () => {
  const message = (from: string, each: object) =>
    JSON.stringify({ server: 's', connection: 1, from, message: { jsonrpc: '2.0', ...each } });
  const file = directory.put(
    'all.jsonl',
    [
      message('client', { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }),
      message('server', {
        id: 1,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
          serverInfo: { name: 's', version: '1' },
        },
      }),
      message('client', {
        id: 2,
        method: 'tools/call',
        params: { name: 'a', arguments: {}, _meta: { progressToken: 2 } },
      }),
      message('server', {
        method: 'notifications/progress',
        params: { progressToken: 2, progress: 1, total: 2 },
      }),
      message('server', { method: 'notifications/message', params: { level: 'info', data: 'working' } }),
      message('server', {
        id: 1,
        method: 'elicitation/create',
        params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
      }),
      message('client', { id: 1, result: { action: 'accept', content: {} } }),
      `{"server":"s","connection":1,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"big":12345678901234567890}}}}`,
      message('client', { id: 3, method: 'tools/call', params: { name: 'a', arguments: {} } }),
      message('server', { id: 3, result: { content: [{ type: 'text', text: 'second' }] } }),
      message('client', { id: 4, method: 'resources/subscribe', params: { uri: 'a:b' } }),
      message('server', { id: 4, result: {} }),
      message('server', { method: 'notifications/resources/updated', params: { uri: 'a:b' } }),
      message('client', { id: 5, method: 'prompts/list' }),
    ].join('\n'),
  );
  const seen: unknown[] = [];
  const client = await Client.connect(
    serverCommand({ command: process.execPath, args: [program, 'replay', file], stderr: () => {} }),
    {
      onLog: ({ data }) => void seen.push(data),
      elicit: ({ message: question }) => {
        seen.push(question);
        return Promise.resolve({ action: 'accept', content: {} });
      },
    },
  );
  let text = '';
  await client.callTool(
    'a',
    {},
    {
      onProgress: (done, total) => void seen.push([done, total]),
      onResponseText: (response) => void (text = response),
    },
  );
  expect(seen).toEqual([[1, 2], 'working', 'Sure?']);
  expect(text).toContain('12345678901234567890');
  for (const _ of [1, 2]) expect((await client.callTool('a')).content).toMatchObject([{ text: 'second' }]);
  const changed = Promise.withResolvers<void>();
  await client.subscribe('a:b', () => changed.resolve());
  await changed.promise;
  await expect(client.request('prompts/list')).rejects.toThrow('has no answer to prompts/list {}');
  await client.close();
});

test.skipIf(process.platform === 'win32')('only the user can read a recording', async () => {
  await record('private', ['tools fix']);
  expect(statSync(fileOf('private')).mode & 0o777).toBe(0o600);
  const first = JSON.parse(readFileSync(fileOf('private'), 'utf8').split('\n')[0]!) as object;
  expect(first).toMatchObject({
    server: 'fix',
    connection: 1,
    from: 'client',
    message: { method: 'server/discover' },
  });
});

test('a recording that cannot be served says why', async () => {
  const of = async (text: string, ...words: string[]) => {
    const file = directory.put('bad.jsonl', text);
    const { stderr, code } = await runProgram(program, ['replay', file, ...words], { env });
    expect(code).toBe(1);
    return stderr.replaceAll(file, 'F');
  };
  const a = '{"server":"a","connection":1,"from":"client","message":{"id":1,"method":"ping"}}\n';
  expect(await of('')).toContain('The recording "F" has no messages');
  expect(await of(`${a}{`)).toContain('F:2:1: Expected a line of JSON, as --trace writes it');
  expect(await of('[]')).toContain('F:1:1: Expected an object with "server", "from" and "message"');
  expect(await of(a, 'b')).toContain('The recording "F" has no server "b"; it has a');
  expect(await of(a + a.replace('"a"', '"b"'))).toContain(
    'The recording "F" has several servers; name one of a, b',
  );
  expect((await runProgram(program, ['replay', 'absent'], { env })).stderr).toContain(
    'Cannot read the recording "absent"',
  );
  expect((await workspace.mcp(['tools', '--trace', '/absent/x'])).stderr).toContain(
    'Cannot write to --trace "/absent/x"',
  );
});
