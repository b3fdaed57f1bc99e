import { describe, expect, onTestFinished, test } from 'vitest';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { smallServer } from './small-server.ts';
import { program } from './workspace.ts';

// A secret in any place of an entry is not in the output of any command about the configuration.

const secrets = {
  known: 'sk-ant-0123456789abcdef',
  random: '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  password: 'hunter2!x',
};
type Kind = keyof typeof secrets;

const nowhere = { command: '/nowhere/server' };
const remote = (url: string, headers: Readonly<Record<string, string>> = {}) => ({ url, headers });

/** Entries that have a secret in one place; the variable `SECRET` of the environment has it, too. */
function entriesWith(kind: Kind, small: object, port: number): Record<string, object> {
  const secret = secrets[kind];
  const encoded = encodeURIComponent(secret);
  const both = {
    'env, known name': { env: { API_TOKEN: secret } },
    'env, password': { env: { PGPASSWORD: secret, DB_PASS: secret, MY_PW: secret } },
    'env, address': { env: { DATABASE: `postgres://user:${encoded}@db.example/x` } },
    'env, address with a token': { env: { REMOTE: `https://${encoded}@git.example/x.git` } },
    'env, address with a query': { env: { REMOTE: `https://a.example/?access_token=${encoded}&b=1` } },
    'env, variable': { env: { API_TOKEN: '${SECRET}', OTHER: 'a ${SECRET} b' } },
    'env, default': { env: { API_TOKEN: `\${UNSET_TOKEN:-${secret}}` } },
    'env, unused default': { env: { API_TOKEN: `\${SET_TOKEN:-${secret}}` } },
    'args, option': { args: ['--token', secret] },
    'args, option with =': { args: [`--api-key=${secret}`] },
    'args, short password': { args: ['--pass', secret, `--db-pwd=${secret}`, '-p', secret] },
    'args, headers as JSON': { args: [`--headers={"Authorization":"Bearer ${secret}"}`] },
    'args, JSON': { args: ['--config', `{"a": {"apiKey" : "${secret}"}, "password":"${secret}"}`] },
    'env, JSON': { env: { CONFIG: `{"a":"b","token":"${secret}"}` } },
    'env, words': { env: { PG: `host=h password=${secret} user=u` } },
    'args, variable': { args: [`\${UNSET_SECRET:-${secret}}`] },
    'args, address': { args: [`postgres://user:${encoded}@db.example/x`, `--db=redis://:${encoded}@h:1/0`] },
    'args, address with a query': { args: [`https://a.example/mcp?api_key=${encoded}`] },
    'args, header': { args: ['--header', `X-Whatever: ${secret}`, '-H', `X-Other:${secret}`] },
  };
  // A program cannot tell that a short password without a name is a secret.
  const tokens =
    kind === 'password'
      ? {}
      : { 'env, any name': { env: { FOO: secret } }, 'args, plain': { args: [secret] } };
  const address = `127.0.0.1:${port}/mcp`;
  const addresses = {
    query: remote(`http://${address}?api_key=${encoded}`),
    'query, unknown name': remote(`http://${address}?tavilyApiKey=${encoded}&x=1`),
    userinfo: remote(`http://user:${encoded}@${address}`),
    'userinfo, user alone': remote(`http://${encoded}@${address}`),
    fragment: remote(`http://${address}#access_token=${encoded}`),
    'header of a known name': remote(`http://${address}`, { Authorization: `Bearer ${secret}` }),
    'header of any name': remote(`http://${address}`, {
      'X-Whatever': secret,
      'CF-Access-Client-Id': secret,
    }),
    'header, variable': remote(`http://${address}`, { 'X-Whatever': 'v ${SECRET}' }),
    'no address': { url: `not an address?api_key=${encoded}` },
    'other scheme': { url: `ftp://user:${encoded}@a.example/` },
  };
  const wrong = {
    'wrong env': { ...nowhere, env: `API_TOKEN=${secret}` },
    'wrong env value': { ...nowhere, env: { API_TOKEN: [secret] } },
    'wrong args': { ...nowhere, args: `--token ${secret}` },
    'wrong args value': { ...nowhere, args: ['--token', { value: secret }] },
    'wrong headers': { url: 'http://a.example', headers: `Authorization: Bearer ${secret}` },
    'wrong url': { url: { href: `http://a.example/?api_key=${secret}` } },
    'url and command': { url: 'http://a.example', command: `server --token ${secret}` },
    'whole command': { command: `server --token ${secret}` },
  };
  const started = Object.entries({ ...both, ...tokens }).flatMap(([place, entry]): [string, object][] => [
    [
      `${place}, starts`,
      {
        ...small,
        ...entry,
        ...('args' in entry && { args: [...(small as { args: string[] }).args, ...entry.args] }),
      },
    ],
    [`${place}, does not start`, { ...nowhere, ...entry }],
  ]);
  return { ...Object.fromEntries(started), ...addresses, ...wrong };
}

const kinds = Object.keys(secrets) as Kind[];

/** The commands of a run: the lines of one shell, because each process takes as long as many lines. */
const runs: Readonly<Record<string, (names: readonly string[]) => readonly (readonly string[])[]>> = {
  list: () => [['list'], ['list', '--json'], ['config', 'check'], ['config', 'check', '--json'], ['cost']],
  ping: () => [['ping']],
  'ping --json': () => [['ping', '--json']],
  tools: () => [['tools']],
  doctor: (names) => [['doctor', '--timeout', '0.5', ...names.slice(-20)]],
  'import --dry-run': () =>
    ['claude-desktop', 'opencode', 'codex', 'gemini'].flatMap((host) => [
      ['import', '--to', host, '--dry-run'],
      ['import', '--to', host, '--dry-run', '--json'],
    ]),
  'config explain': (names) => names.map((name) => ['config', 'explain', name]),
  'config explain --json': (names) => names.map((name) => ['config', 'explain', name, '--json']),
};

describe.each(kinds)('a secret is in no output of the configuration: %s', (kind) => {
  test.each(Object.keys(runs))('mcp %s', async (run) => {
    const directory = new TemporaryDirectory('secrets');
    onTestFinished(() => directory[Symbol.dispose]());
    const refusing = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    onTestFinished(() => void refusing.close());
    await once(refusing, 'listening');
    const { port } = refusing.address() as AddressInfo;
    const entries = Object.entries(entriesWith(kind, smallServer(directory), port));
    const mcpServers = Object.fromEntries(entries.map(([, entry], index) => [`s${index}`, entry]));
    const file = directory.put('claude.json', JSON.stringify({ mcpServers }));
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(directory.base, 'home'),
      SECRET: secrets[kind],
      SET_TOKEN: 'other',
    };
    const lines = runs[run]!(Object.keys(mcpServers)).map((words) => `${words.join(' ')}\n`);
    const { stdout, stderr } = await runProgram(program, ['--config', file, 'shell'], {
      env,
      input: lines.join(''),
    });
    const printed = [...stdout.split('\n'), ...stderr.split('\n')];
    // Each command says something of each of its servers.
    for (const name of Object.keys(mcpServers).slice(-20))
      expect(printed.join('\n')).toMatch(new RegExp(`\\b${name}\\b`));
    const leaks = printed.filter((line) =>
      [secrets[kind], encodeURIComponent(secrets[kind])].some((secret) => line.includes(secret)),
    );
    const placeOf = (line: string) => entries[Number(/\bs(\d+)\b/.exec(line)?.[1])]?.[0];
    expect(leaks.map((line) => `${placeOf(line)}: ${line.slice(0, 200)}`)).toEqual([]);
  });
});

test('values that are not secret are shown', async () => {
  const directory = new TemporaryDirectory('no-secrets');
  onTestFinished(() => directory[Symbol.dispose]());
  const entry = {
    command: 'npx',
    args: [
      '-y',
      '-p',
      'typescript',
      '@modelcontextprotocol/server-postgres@2026.7.28',
      '--port=8080',
      '-p',
      '8080:80/tcp',
      'http://localhost:8080/mcp?mode=fast',
    ],
    env: {
      MODE: 'fast',
      PORT: '8080',
      HOME_PAGE: 'https://a.example/x',
      NODE_OPTIONS: '--require ./evil.js',
      REGION: 'eu-west-1',
    },
  };
  const file = directory.put('claude.json', JSON.stringify({ mcpServers: { s: entry } }));
  const { stdout } = await runProgram(program, ['--config', file, 'config', 'explain', 's']);
  expect(stdout).toContain(`npx ${entry.args.slice(0, -1).join(' ')} '${entry.args.at(-1)}'`);
  for (const [name, value] of Object.entries(entry.env)) expect(stdout).toContain(`${name}=${value}`);
});

test.each([['ping'], ['--verbose', 'ping'], ['call', 's.x']])(
  'a secret of its entry that a server writes on stderr is masked by %s',
  async (...command) => {
    using directory = new TemporaryDirectory('secrets-on-stderr');
    const code =
      'console.error(`key ${process.env.API_KEY} and ${process.argv[1]}, ${JSON.parse(process.argv[2]).key}`)';
    const config = `{"token": "other", "key": "${secrets.random}"}`;
    const args = ['-e', code, `postgres://u:${secrets.password}@h/d`, config];
    const entry = { command: process.execPath, args, env: { API_KEY: secrets.known } };
    const file = directory.put('mcp.json', JSON.stringify({ mcpServers: { s: entry } }));
    const { stdout, stderr } = await runProgram(program, ['--config', file, ...command]);
    expect(stderr).toContain('key •••• and postgres://u:••••@h/d, ••••');
    expect(stdout + stderr).not.toMatch(new RegExp(Object.values(secrets).join('|')));
  },
);
