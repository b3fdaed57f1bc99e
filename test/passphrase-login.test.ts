import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TemporaryDirectory } from '@mcp/test-kit';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { login, openPage } from '../packages/login/test/browser.ts';
import { startNotes } from '../packages/login/test/protected-notes.ts';
import { connect, directory, freePort, passphrase, type Started, startProgram } from './login-program.ts';
import type * as Official from './official/login-client.ts';
import { serverProgram } from './server-program.ts';

// The built servers with `--login`, our client and the official ones, and a user who types the passphrase.

const { loginV1, loginV2, stepUpV1, stepUpV2 } = inject('official')
  ? await import('./official/login-client.ts')
  : ({} as typeof Official);

/** What each server serves. */
function argumentsOf(name: string, files: TemporaryDirectory): string[] {
  if (name === 'weather') return ['--demo', `--data=${files.root}`];
  if (name === 'sqlite') return ['--create', '--allow-write', join(files.root, 'a.db')];
  if (name === 'run') {
    const passed = { MCP_PASSPHRASE: true, HOME: true };
    const commands = { variables: { description: 'Lists variables.', argv: ['env'], env: passed } };
    return [files.put('commands.json', JSON.stringify({ writable: [], cwd: files.root, commands }))];
  }
  if (name === 'git') execFileSync('git', ['init', '-q', files.root]);
  return [files.root];
}

async function start(
  name: string,
  { args = ['--login'], env = { MCP_PASSPHRASE: passphrase } as NodeJS.ProcessEnv } = {},
): Promise<Started> {
  const files = directory();
  const address = ['--http', String(await freePort())];
  return startProgram([serverProgram(name), ...argumentsOf(name, files), ...address, ...args], env, files);
}

test.each(['filesystem', 'git', 'sqlite', 'weather', 'run'])(
  'a user lets a client into the %s server with --login',
  async (name) => {
    const { url, lines, home } = await start(name);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    await using client = await connect(url);
    expect((await client.listTools()).length).toBeGreaterThan(0);
    expect(lines.at(-1)).toMatch(/^Access granted to "Editor" at 127\.0\.0\.1:\d+$/);
    const path = `.local/state/mcp/login/mcp-server-${name}/127.0.0.1_${new URL(url).port}_mcp.json`;
    const file = join(home, path);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(passphrase);
  },
);

test('a program that the server starts does not get the passphrase', async () => {
  const { url } = await start('run');
  await using client = await connect(url);
  const { content } = await client.callTool('variables');
  expect(JSON.stringify(content)).toContain('HOME=');
  expect(JSON.stringify(content)).not.toContain('MCP_PASSPHRASE');
});

test('behind a tunnel, tokens are for the public URL, and its host is served', async () => {
  const files = directory();
  const file = files.put('passphrase', `${passphrase}\n`);
  const args = ['--login', '--passphrase-file', file, '--public-url', 'https://weather.example'];
  const { url, lines } = await start('weather', { args, env: {} });
  expect(lines[0]).toBe(`Other users may read the passphrase in "${file}"; chmod 600 prevents it`);
  const { origin } = new URL(url);
  const get = async (path: string) => (await fetch(new URL(path, origin))).json() as Promise<unknown>;
  expect(await get('/.well-known/oauth-protected-resource/mcp')).toMatchObject({
    resource: 'https://weather.example/mcp',
    authorization_servers: ['https://weather.example'],
  });
  expect(await get('/.well-known/oauth-authorization-server')).toMatchObject({
    issuer: 'https://weather.example',
    authorization_endpoint: 'https://weather.example/authorize',
  });
});

test('a passphrase file that changes counts from the next start, which ends all access', async () => {
  const files = directory();
  const file = files.put('passphrase', passphrase);
  const address = ['--http', String(await freePort())];
  const args = [...argumentsOf('weather', files), ...address, '--login', '--passphrase-file', file];
  const { url, child } = await startProgram([serverProgram('weather'), ...args], {}, files);
  await using first = await connect(url);
  files.put('passphrase', 'another horse battery');
  await using second = await connect(url);
  child.kill();
  await once(child, 'exit');
  await startProgram([serverProgram('weather'), ...args], {}, files);
  for (const client of [first, second])
    await expect(client.callTool('current', { place: 'Oslo' })).rejects.toThrow('The passphrase is wrong');
});

test.each([
  [
    ['--login'],
    {},
    'Missing passphrase for --login: set MCP_PASSPHRASE, name a file with --passphrase-file, or start in a terminal',
  ],
  [['--login'], { MCP_PASSPHRASE: 'short' }, 'Invalid passphrase: it has 5 characters; expected 12 to 1024'],
  [
    ['--login', '--passphrase-file', '/missing'],
    {},
    `Cannot read --passphrase-file "/missing": ENOENT: no such file or directory, stat '/missing'`,
  ],
  [
    ['--public-url', 'https://a.example'],
    {},
    '--passphrase-file and --public-url have no effect without --login',
  ],
  [
    ['--login'],
    { MCP_PASSPHRASE: passphrase, MCP_TOKEN: 'x' },
    'Clients cannot both log in and send a token: leave out --token, and unset MCP_TOKEN',
  ],
  [
    ['--login', '--public-url', 'http://a.example'],
    { MCP_PASSPHRASE: passphrase },
    'Invalid url: "http://a.example/mcp"; expected https://host/path, or http:// on the loopback, without query, fragment and user',
  ],
])('%j is refused', async (args, env, message) => {
  await expect(start('weather', { args, env })).rejects.toThrow(
    `mcp-server-weather: ${message}\nRun with --help for usage`,
  );
});

test.each([
  [['--login'], 'The option "--login" has no effect without --http'],
  [
    ['--login', '--http', '0.0.0.0:8080'],
    'Missing --public-url=<url>: with --login, tokens are for the URL that clients use, which the address "0.0.0.0" does not tell',
  ],
  [
    ['--login', '--http', '0'],
    'Missing --public-url=<url>: with --login, tokens are for the URL that clients use, which the port 0 does not tell',
  ],
])('%j says what is missing', async (args, message) => {
  const child = spawn(process.execPath, [serverProgram('weather'), '--demo', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect(await text(child.stderr)).toBe(`mcp-server-weather: ${message}\nRun with --help for usage\n`);
});

test('the terminal asks for the passphrase, and does not show it', async () => {
  const files = directory();
  const port = await freePort();
  const command = `"${process.execPath}" "${serverProgram('weather')}" --demo --http ${port} --login`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', HOME: files.base },
  });
  onTestFinished(() => void child.kill());
  let shown = '';
  for await (const chunk of child.stdout) {
    const before = shown;
    shown += String(chunk);
    if (!before.includes('Passphrase for logins: ') && shown.includes('Passphrase for logins: '))
      child.stdin.write(`${passphrase}\r`);
    if (shown.includes('Listening on')) break;
  }
  expect(shown).not.toContain('correct');
  await using client = await connect(`http://127.0.0.1:${port}/mcp`);
  expect((await client.listTools()).length).toBeGreaterThan(0);
});

describe.skipIf(!inject('official'))('the official clients', () => {
  test('v1 registers, logs in, refreshes and calls', async () => {
    const { url } = await start('weather');
    await loginV1(url, login);
  });

  test.each(['2025-06-18', '2025-11-25'])(
    'v2 at %s registers, logs in, refreshes and calls',
    async (version) => {
      const { url } = await start('weather');
      await loginV2(url, login, { supportedProtocolVersions: [version] });
    },
  );

  test('v2 at 2026-07-28 registers, logs in, refreshes and calls', async () => {
    const { url } = await start('weather');
    await loginV2(url, login, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  });

  test.each(['auto', { pin: '2026-07-28' }] as const)('v2 steps up for a scope, with %j', async (mode) => {
    await using notes = await startNotes({}, { requiredScopes: ['notes:read'] });
    await stepUpV2(notes.url, login, { versionNegotiation: { mode } }, 'write');
  });

  test('v1 steps up for a scope, without a refresh token', async () => {
    await using notes = await startNotes({}, { requiredScopes: ['notes:read'] });
    await stepUpV1(notes.url, login, 'write');
  });
});

test('the page names the client, the host and the server', async () => {
  const { url } = await start('weather');
  const { origin } = new URL(url);
  const response = await fetch(new URL('/register', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Web', redirect_uris: ['https://client.example/callback'] }),
  });
  const { client_id: id } = (await response.json()) as { client_id: string };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: 'https://client.example/callback',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const { html } = await openPage(`${origin}/authorize?${query.toString()}`);
  expect(html).toContain('<strong>Web</strong> asks for access to <strong>mcp-server-weather</strong>');
  expect(html).toContain('<dd>client.example</dd>');
});
