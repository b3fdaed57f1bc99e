import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { defineServer } from '@mcp/protocol';
import { type HttpListener, serveHttp } from '@mcp/protocol/http';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { expect, onTestFinished, test, vi } from 'vitest';
import { smallServer } from './small-server.ts';

// Each server is given its time to end.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly mend?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

type Reports = Readonly<
  Record<string, { readonly level: string; readonly findings: readonly Finding[] } | undefined>
>;

/** Runs `mcp doctor` on these entries of `mcpServers`. */
async function examined(
  entries: (directory: TemporaryDirectory) => Readonly<Record<string, object>>,
  ...args: readonly string[]
) {
  const directory = new TemporaryDirectory('host-doctor');
  onTestFinished(() => directory[Symbol.dispose]());
  const file = directory.put('mcp.json', JSON.stringify({ mcpServers: entries(directory) }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(directory.base, 'home') };
  const { stdout, code } = await runProgram(program, ['--config', file, 'doctor', ...args], { env });
  const findings = (server: string, check: string) =>
    (JSON.parse(stdout) as Reports)[server]?.findings.filter((each) => each.check === check) ?? [];
  if (args.includes('--json'))
    for (const { findings: all } of Object.values(JSON.parse(stdout) as Reports).flatMap(
      (each) => each ?? [],
    ))
      for (const { level, message, mend } of all)
        if (level === 'warning' || level === 'fault') expect(mend, message).toBeTruthy();
  const shown = (server: string, check: string) =>
    findings(server, check).map(({ level, message }) => `${level}: ${message}`);
  return { stdout, code, findings, shown };
}

test('mcp doctor measures a server that is well, and exits with 0', async () => {
  // A name of a server is no fault of its schemas.
  const well = `well-${'x'.repeat(80)}`;
  const { code, findings, shown, stdout } = await examined(
    (at) => ({ [well]: smallServer(at, { TOOLS: 'one two' }) }),
    '--json',
  );
  expect(shown(well, 'start')).toEqual([
    expect.stringMatching(/^ok: started .* in \d+ ms, the second time in \d+ ms$/),
  ]);
  expect(findings(well, 'start')[0]?.data).toEqual({
    firstMs: expect.any(Number),
    secondMs: expect.any(Number),
  });
  expect(findings(well, 'memory')[0]).toMatchObject({ level: 'ok', data: { processes: 1 } });
  expect(shown(well, 'capabilities')).toEqual(['ok: small 1, 2025-11-25: tools']);
  expect(shown(well, 'lists')).toEqual(['ok: 2 tools: 145 bytes, about 37 tokens']);
  expect(shown(well, 'cost')).toEqual([
    expect.stringMatching(/^ok: about \d+ tokens in each request to a model; the dearest: one \d+, two \d+$/),
  ]);
  expect(shown(well, 'limits')).toEqual([
    expect.stringMatching(/^ok: a start took \d+ ms of 30000 ms, and a list \d+ ms of 60000 ms$/),
  ]);
  expect([...shown(well, 'views'), ...shown(well, 'skills')]).toEqual([]);
  expect(shown(well, 'schemas')).toContain('ok: gemini: can express all schemas');
  expect(shown(well, 'stdout')).toEqual(['ok: has nothing but messages']);
  expect(findings(well, 'revisions')[0]).toMatchObject({
    message: 'speaks 2025-11-25; not 2026-07-28, 2025-06-18, 2025-03-26, 2024-11-05',
    data: { outcomes: { '2025-03-26': 'answered with 2025-11-25' } },
  });
  expect(shown(well, 'end')).toEqual([
    expect.stringMatching(/^ok: ends \d+ ms after the end of its stdin$/),
    expect.stringMatching(/^ok: ends \d+ ms after SIGTERM while its stdin is open$/),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ [well]: { level: 'ok' } });
  expect(code).toBe(0);
});

test('mcp doctor reports servers that hang, die, or are missing, and continues with the next one', async () => {
  const { code, shown } = await examined(
    (at) => ({
      hangs: { command: 'sh', args: ['-c', 'echo loading >&2; exec sleep 60'] },
      dies: { command: 'sh', args: ['-c', 'echo no database >&2; exit 3'] },
      missing: { command: join(at.root, 'missing') },
      gone: { url: 'http://127.0.0.1:9/mcp' },
    }),
    '--json',
    '--timeout',
    '0.5',
  );
  expect(shown('hangs', 'start')).toEqual([
    'fault: no answer to the handshake within 0.5 s; its last line on stderr was: loading',
  ]);
  expect(shown('hangs', 'end')).toEqual([
    expect.stringMatching(
      /^warning: does not end within 500 ms after the end of its stdin; ends \d+ ms after SIGTERM$/,
    ),
  ]);
  expect(shown('dies', 'start')).toEqual([
    'fault: dies: no handshake: "sh" ended: exit code 3; on stderr it wrote:\nno database',
  ]);
  expect(shown('missing', 'start')).toEqual([expect.stringContaining('there is no such command')]);
  expect(shown('gone', 'start')).toEqual([expect.stringContaining('ECONNREFUSED')]);
  expect(shown('gone', 'authorization')).toEqual([]);
  expect(code).toBe(9);
});

test('mcp doctor reports rubbish on stdout, and a server that only SIGKILL ends', async () => {
  const { code, shown } = await examined(
    (at) => ({ shouts: smallServer(at, { NOISE: 'ready!', FIFO: '/dev/null' }) }),
    '--json',
    '--timeout',
    '1',
  );
  expect(shown('shouts', 'stdout')).toEqual([
    'fault: has lines that are no JSON-RPC messages, at which many clients fail; the first is "ready!"',
  ]);
  expect(shown('shouts', 'end')).toEqual([
    expect.stringMatching(
      /^fault: ends neither within 1000 ms after the end of its stdin nor after SIGTERM, but \d+ ms after SIGKILL$/,
    ),
    'warning: does not end within 1000 ms after SIGTERM while its stdin is open',
  ]);
  expect(code).toBe(9);
});

test('mcp doctor prints a line for each finding, with the process that a launcher leaves behind', async () => {
  const { code, stdout } = await examined((at) => {
    const { command, args, env } = smallServer(at);
    // The launcher ends with its server, and a process that the server did not wait for stays.
    return { launched: { command: 'sh', args: ['-c', `sleep 30 & '${command}' '${args[0]}'`], env } };
  });
  expect(stdout).toMatch(/^launched\n {2}ok {7}capabilities {2}small 1, 2025-11-25: tools\n/);
  expect(stdout).toContain(
    '  warning  end           leaves processes behind that it has started, which most hosts do not end\n' +
      '                         end them when the server ends; a launcher must pass signals on\n',
  );
  expect(code).toBe(8);
});

test('mcp doctor names time limits that are near, and tools that cost much', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', description: 'x '.repeat(24_000) } } };
  const { code, findings, shown } = await examined(
    (at) => ({
      short: { ...smallServer(at), startup_timeout_ms: 5 },
      dear: smallServer(at, { TOOLS: 'dear', SCHEMA: JSON.stringify(schema) }),
    }),
    '--json',
  );
  expect(shown('short', 'limits')).toEqual([
    expect.stringMatching(/^fault: a start took \d+ ms, and its limit is 5 ms$/),
    'warning: the entry has a time limit of 5 ms',
  ]);
  expect(findings('short', 'limits')[0]?.mend).toContain(
    'more seconds as "startup_timeout_sec" of the entry',
  );
  expect(shown('dear', 'cost')).toEqual([
    expect.stringMatching(
      /^warning: about 1\d{4} tokens in each request to a model; the dearest: dear 1\d{4}$/,
    ),
  ]);
  expect(findings('dear', 'cost')[0]?.mend).toContain('mcp serve --lazy');
  expect(code).toBe(9);
});

test('mcp doctor reads views and skills, and says which of them are broken', async () => {
  const programOf = (name: string) => bundledProgram(fileURLToPath(new URL(name, import.meta.url)));
  const command = process.execPath;
  const { shown, code } = await examined((at) => {
    at.put('skill/plan/SKILL.md', '---\nname: plan\ndescription: Plans.\n---\n');
    const skills = programOf('skill-server.ts');
    return {
      viewed: { command, args: [programOf('view-server.ts'), 'viewed', 'ui://view/a'] },
      foreign: { command, args: [programOf('foreign-view-server.ts'), 'foreign', 'ui://view/b', 'nested'] },
      skilled: { command, args: [skills, join(at.root, 'skill/plan')] },
      lies: { command, args: [skills, '--lie', 'digest'] },
    };
  }, '--json');
  expect(shown('viewed', 'views')).toEqual([
    expect.stringMatching(/^ok: the view ui:\/\/view\/a of show, refresh has \d+ bytes$/),
  ]);
  expect(shown('foreign', 'views')).toEqual(['fault: the view ui://view/b of show is no HTML document']);
  expect(shown('skilled', 'skills')).toEqual(['ok: 1 of 1 are as their digests say']);
  expect(shown('lies', 'skills')).toEqual([
    expect.stringMatching(/^fault: skill:\/\/liar\/SKILL\.md: .*digest/),
  ]);
  expect(code).toBe(9);
});

test('mcp doctor compares the card of a server with the server', async () => {
  const named = (version: string) =>
    defineServer({ name: 'carded', version, description: 'Has a card.', tools: [] });
  const name = 'com.example/carded';
  const listeners: HttpListener[] = [];
  // The card of the second server has the URL of the first one.
  for (const version of ['1.0.0', '2.0.0']) {
    const port = await freePort();
    const url = listeners[0]?.url ?? `http://127.0.0.1:${port}/mcp`;
    listeners.push(await serveHttp(named(version), { port, card: { name, url } }));
  }
  const plain = await serveHttp(named('1.0.0'));
  const urls = { right: listeners[0]!.url, wrong: listeners[1]!.url, plain: plain.url };
  const { shown } = await examined(
    () => Object.fromEntries(Object.entries(urls).map(([each, url]) => [each, { url }])),
    '--json',
  );
  expect(shown('right', 'card')).toEqual(['ok: the server card agrees with the server']);
  expect(shown('wrong', 'card')).toEqual([
    'warning: the server card has no remote with the URL that is configured',
  ]);
  expect(shown('plain', 'card')).toEqual([]);
  await Promise.all([...listeners, plain].map((each) => each.close()));
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

test('mcp doctor follows the discovery of a login step by step, and registers no client', async () => {
  const seen: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse, origin: string) => {
    seen.push(`${request.method} ${request.url}`);
    const json = (value: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (request.url?.startsWith('/mcp')) {
      const challenge = 'Bearer scope="files:read"';
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    if (request.url === '/.well-known/oauth-protected-resource')
      return json({
        resource: origin,
        authorization_servers: [`${origin}/tenant`],
        scopes_supported: ['files:read'],
      });
    if (request.url === '/tenant/.well-known/openid-configuration') {
      return json({
        issuer: `${origin}/tenant`,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
      });
    }
    return response.writeHead(404).end();
  };
  const server = createServer((request, response) => {
    answer(request, response, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, shown } = await examined(() => ({ remote: { url: `${origin}/mcp?key=secret` } }), '--json');
  expect(shown('remote', 'authorization')).toEqual([
    'note: the server requires a login: 401, with the challenge Bearer scope="files:read"',
    `note: GET ${origin}/.well-known/oauth-protected-resource/mcp?key=••••: 404`,
    `note: GET ${origin}/.well-known/oauth-protected-resource: 200`,
    `note: GET ${origin}/.well-known/oauth-authorization-server/tenant: 404`,
    `note: GET ${origin}/.well-known/openid-configuration/tenant: 404`,
    `note: GET ${origin}/tenant/.well-known/openid-configuration: 200`,
    'ok: a client registers by dynamic registration',
    'ok: scopes: files:read',
    'fault: does not declare PKCE with S256, without which clients refuse to log in',
    'note: does not name its issuer in authorization responses (RFC 9207)',
  ]);
  expect(shown('remote', 'start')).toEqual(['note: nothing else is checked without a login']);
  expect(seen.filter((each) => !/^(?:POST \/mcp|GET )/.test(each))).toEqual([]);
  expect(code).toBe(9);
});

test('Ctrl-C ends mcp doctor immediately, with the server that hangs', async () => {
  const directory = new TemporaryDirectory('host-doctor');
  onTestFinished(() => directory[Symbol.dispose]());
  const hang = `require('fs').appendFileSync('pids', process.pid + '\\n');
    process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.error('started')`;
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(directory.base, 'home') };
  const server = [process.execPath, '-e', hang];
  const child = spawn(process.execPath, [program, 'doctor', '--timeout', '60', '--', ...server], {
    cwd: directory.root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pids = join(directory.root, 'pids');
  await expect.poll(() => existsSync(pids), { timeout: 20_000 }).toBe(true);
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(130);
  const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  expect(started).toHaveLength(1);
  expect(() => process.kill(started[0]!, 0)).toThrow('ESRCH');
});
