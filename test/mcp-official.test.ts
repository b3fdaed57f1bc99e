import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { repository } from './server-program.ts';

// The command mcp with a server of the official SDK, as it is published.

const everything = join(
  repository,
  'test/official/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const mcp = join(repository, 'packages/host/dist/main.cjs');

/** `mcp shell` with the official server, line by line. */
function shell(...options: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'mcp-official-shell-'));
  const child = spawn(
    process.execPath,
    [mcp, 'shell', ...options, '--', process.execPath, everything, 'stdio'],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: home },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    home,
    /** Runs a command, and returns its first line. */
    async first(command: string): Promise<string> {
      child.stdin.write(`${command}\n`);
      return String((await lines.next()).value);
    },
    async ended(): Promise<unknown> {
      child.stdin.end();
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}

describe.skipIf(!inject('official'))('mcp drives the official everything server', () => {
  test('its tasks of 2025-11-25 are started, listed, read and cancelled', async () => {
    const session = shell();
    const [, id = ''] = /^(\w+) {2}working/.exec(
      await session.first('call simulate-research-query topic=tea --task'),
    )!;
    expect(JSON.parse(await session.first('--json task list'))).toMatchObject({
      tasks: [{ taskId: id, status: 'working', ttl: 300_000 }],
    });
    expect(await session.first(`task get ${id}`)).toContain(`${id}  working`);
    expect(await session.first(`task cancel ${id}\ntask get ${id}`)).toContain(`${id}  cancelled`);
    expect(await session.ended()).toBe(0);
  });

  test('its sampling, completion, prompts and images have the same commands', async () => {
    const response = JSON.stringify({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'blue' },
    });
    const session = shell('--sampling', `echo '${response}'`);
    expect(await session.first('--json call trigger-sampling-request prompt=Hi')).toContain(
      'LLM sampling result',
    );
    expect(await session.first(`--json complete completable-prompt department=E`)).toContain('Engineering');
    expect(await session.first('--json prompt simple-prompt')).toContain('"messages":[');
    await session.first(`--json call get-tiny-image --save '${session.home}/images'`);
    expect(readdirSync(join(session.home, 'images'))).toEqual(['get-tiny-image.png']);
    expect(await session.ended()).toBe(0);
  });
});
