import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { afterAll, expect, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { program } from './workspace.ts';

const seen: (string | undefined)[] = [];
const server = createServer((request, response) => {
  seen.push(request.headers['x-team'] as string | undefined, request.headers.authorization);
  response.writeHead(404).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
const directory = new TemporaryDirectory('host-typed');
afterAll(() => {
  server.close();
  directory[Symbol.dispose]();
});

const env = { PATH: process.env['PATH'] ?? '', HOME: directory.base, TOKEN: 'very-secret', COLOUR: 'red' };
const mcp = (...words: string[]) => runProgram(program, words, { env, cwd: directory.root });

test('--header is sent with each request, with variables of the environment', async () => {
  const { stderr } = await mcp(
    'tools',
    url,
    '--header',
    'X-Team: blue',
    '--header',
    'Authorization: Bearer ${TOKEN}',
  );
  expect(seen.slice(0, 2)).toEqual(['blue', 'Bearer very-secret']);
  expect(stderr).not.toContain('very-secret');
});

test('--env is in the environment of the command, and nothing else of this one', async () => {
  const { command, args } = smallServer(directory, {});
  const typed = ['--env', 'TOOLS=one two', '--env', 'COLOUR', '--', command, ...args];
  const { stdout } = await mcp('--json', 'tools', ...typed);
  expect(stdout).toContain('"name":"two"');
  const explained = JSON.parse((await mcp('--json', 'config', 'explain', 'node', ...typed)).stdout) as {
    target: { env: object };
  };
  expect(explained.target.env).toEqual({ TOOLS: 'one two', COLOUR: 'red' });
});

test('--start-timeout limits the start', async () => {
  const { command, args } = smallServer(directory, {});
  const { stderr, code } = await mcp(
    'call',
    'pid',
    '--env',
    'HANG=handshake',
    '--start-timeout',
    '0.3',
    '--',
    command,
    ...args,
  );
  expect(stderr).toContain('no answer to the handshake within 0.3 s');
  expect(stderr).toContain('--start-timeout gives it more seconds');
  expect(code).toBe(6);
});

test.skipIf(process.platform === 'win32')('a launcher that does not answer may lack a proxy', async () => {
  const npx = directory.put('bin/npx', '#!/bin/sh\nexec sleep 60\n');
  chmodSync(npx, 0o755);
  const proxied = { ...env, HTTPS_PROXY: 'http://127.0.0.1:9' };
  const words = ['call', 'pid', '--start-timeout', '0.3', '--', npx, 'small'];
  const { stderr } = await runProgram(program, words, { env: proxied });
  expect(stderr).toContain('and does not get HTTPS_PROXY: --env HTTPS_PROXY; --start-timeout gives it');
  expect((await mcp(...words)).stderr).not.toContain('does not get');
});

test('a printed command repeats these options without secrets', async () => {
  const { command, args } = smallServer(directory, {});
  const typed = [
    '--env',
    'API_KEY=abc123',
    '--env',
    'COLOUR',
    '--start-timeout',
    '20',
    '--',
    command,
    ...args,
  ];
  const { stderr } = await mcp('call', 'nope', ...typed);
  expect(stderr).toContain('--env API_KEY=<secret> --env COLOUR --start-timeout 20 ');
  expect(stderr).not.toContain('abc123');
});

test('without a server on the command line, these options are refused', async () => {
  for (const [words, message] of [
    [
      ['tools', '--env', 'A=1'],
      '--env is for a server that the command line names: a URL, or a command after --',
    ],
    [['tools', url, '--env', 'A=1'], '--env is for a server that is a command'],
    [['tools', '--header', 'A: 1', '--', 'x'], '--header is for a server with a URL'],
    [['tools', url, '--header', 'A: ${NOPE}'], 'The variable NOPE of --header is not set'],
    [['tools', '--env', 'NOPE', '--', 'x'], 'The variable NOPE of --env is not set'],
    [['tools', '--env', '=1', '--', 'x'], 'Invalid --env: ""; expected NAME=value, or NAME'],
    [['tools', url, '--header', 'A: 1\r\nB: 2'], 'Invalid --header: "A"; expected \'Name: value\''],
    [['tools', url, '--header', 'Bearer abc123'], "Invalid --header without a colon; expected 'Name: value'"],
    [['tools', 'https://u:abc123@a.b/'], 'Invalid URL: it contains a user or a password'],
    [['tools', url, '--start-timeout', 'x'], 'Invalid --start-timeout: "x"'],
  ] as const) {
    const { code, stderr } = await mcp(...words);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('abc123');
    expect(code).toBe(1);
  }
});
