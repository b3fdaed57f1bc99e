import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { smallServer } from '../small-server.ts';
import { GatewayProgram } from './gateway-program.ts';

test.each([
  ['handshake', '2025-11-25'],
  ['list', '2025-11-25'],
  ['list', '2026-07-28'],
])(
  'SIGTERM ends mcp serve while a server does not answer the %s for a client of %s',
  async (hang, revision) => {
    const directory = new TemporaryDirectory('gateway-ends');
    onTestFinished(() => directory[Symbol.dispose]());
    const reached = join(directory.base, 'reached');
    const { command, args } = smallServer(directory);
    const hangs = { command, args, env: { HANG: hang, REACHED: reached } };
    const gateway = new GatewayProgram({ hangs });
    onTestFinished(() => gateway[Symbol.asyncDispose]());
    const listed = gateway.http({ revision }).then((client) => client.listTools());
    listed.catch(() => {});
    await expect.poll(() => existsSync(reached), { timeout: 10_000 }).toBe(true);
    expect(await gateway.terminate()).toBe(0);
  },
);
