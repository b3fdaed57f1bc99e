import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundledProgram } from '../../test-kit/src/bundled-program.ts';
import { describeWithRedis, RedisServer } from './redis-server.ts';
import { Session, textOf } from './replicas.ts';

const invalid =
  'Invalid --redis, or MCP_REDIS_URL in the environment; ' +
  'expected redis://[[user]:password@]host[:port][/database], with user and password percent-encoded';

const own = fileURLToPath(new URL('..', import.meta.url));

describeWithRedis('a program with --redis', () => {
  let base: string;
  let redis: RedisServer;
  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'mcp-program-'));
    const program = bundledProgram(fileURLToPath(new URL('fixtures/serve-program.ts', import.meta.url)));
    for (const name of ['with', 'without']) {
      const directory = join(base, name, 'node_modules/counter');
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
      copyFileSync(program, join(directory, 'main.mjs'));
    }
    mkdirSync(join(base, 'with/node_modules/@mcp'));
    symlinkSync(own, join(base, 'with/node_modules/@mcp/redis'), 'junction');
    redis = await RedisServer.start();
  });
  afterAll(async () => {
    await redis?.[Symbol.asyncDispose]();
    rmSync(base, { recursive: true, force: true });
  });

  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}, place = 'with') =>
    spawn(
      process.execPath,
      ['--conditions=@mcp/source', join(base, place, 'node_modules/counter/main.mjs'), ...args],
      { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
  const listening = async (child: ChildProcess) => {
    for await (const line of createInterface(child.stderr!)) {
      const [, url] = /^Listening on (\S+)$/.exec(line) ?? [];
      if (url !== undefined) return { url, child };
    }
    throw new Error('The program does not listen');
  };
  const refusal = async (child: ChildProcess) => {
    const [told] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
    return told.split('\n')[0];
  };

  test('shares sessions and state, with the address from an argument or the environment', async () => {
    const children = [
      start(['--http', '0', '--redis', redis.url]),
      start(['--http', '0'], { MCP_REDIS_URL: redis.url }),
    ];
    try {
      const [one, other] = await Promise.all(children.map(listening));
      const session = await Session.open(one!, '2025-11-25');
      expect(await textOf(await session.call(one!, 'count'))).toBe('1');
      expect(await textOf(await session.call(other!, 'count'))).toBe('2');
      const back = await Session.open(other!, '2025-11-25');
      expect(await textOf(await back.call(one!, 'count'))).toBe('3');
    } finally {
      for (const child of children) child.kill();
      await Promise.all(children.map((child) => once(child, 'exit')));
    }
  });

  test('is ready while it reaches Redis', async () => {
    const child = start(['--http', '0', '--redis', redis.url, '--health']);
    try {
      const { url } = await listening(child);
      const statusOf = async (path: string) => (await fetch(new URL(path, url))).status;
      expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([200, 200]);
      await redis.kill();
      await expect.poll(() => statusOf('/readyz')).toBe(503);
      expect(await statusOf('/healthz')).toBe(200);
      await redis.start();
      await expect.poll(() => statusOf('/readyz')).toBe(200);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  test('puts its key back into a Redis that has lost it', async () => {
    await using empty = await RedisServer.start();
    const children = [start(['--http', '0', '--redis', empty.url])];
    try {
      const one = await listening(children[0]!);
      await empty.command('FLUSHALL');
      await empty.kill();
      await empty.start();
      await expect.poll(() => empty.command('DBSIZE')).toBe('1');
      children.push(start(['--http', '0', '--redis', empty.url]));
      const session = await Session.open(await listening(children[1]!), '2025-11-25');
      expect(await textOf(await session.call(one, 'count'))).toBe('1');
    } finally {
      for (const child of children) child.kill();
      await Promise.all(children.map((child) => once(child, 'exit')));
    }
  });

  test('ends if Redis takes no commands', async () => {
    await using locked = await RedisServer.start('--requirepass', 'secret');
    const told = await refusal(start(['--http', '0', '--redis', locked.url]));
    expect(told).toBe('counter: Redis cannot be used now: NOAUTH Authentication required.');
  });

  test.each([
    [['--redis', 'redis://x'], '--redis needs --http: over stdio, one process serves one client'],
    [['--http', '0', '--redis', 'http://user:secret@x'], invalid],
    [['--http', '0', '--redis', 'redis://:se%cret@x'], invalid],
    [['--http', '0', '--redis', 'redis://:secret@x/first'], invalid],
    [
      ['--http', '0', '--redis', 'redis://:secret@127.0.0.1:1'],
      'Cannot connect to Redis: connect ECONNREFUSED 127.0.0.1:1',
    ],
  ])('refuses %j', async (args, message) => {
    expect(await refusal(start(args))).toBe(`counter: ${message}`);
  });

  test('says how to install the package', async () => {
    const child = start(['--http', '0', '--redis', 'redis://127.0.0.1'], {}, 'without');
    expect(await refusal(child)).toBe(
      'counter: --redis needs the package @mcp/redis, installed with this program: ' +
        'npx -y -p @example/counter -p @mcp/redis counter --http 8080 --redis redis://…',
    );
  });

  test('does not load the package from a directory that clients may write to', async () => {
    const child = start(['--http', '0', '--redis', 'redis://127.0.0.1', base]);
    expect(await refusal(child)).toContain('is not loaded, because it lies in the allowed directory');
  });
});
