import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { copyRepository } from '../release/rehearse/copy-repository.ts';

// These run the tests of whole packages.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 120_000 });

const run = promisify(execFile);

/** Templates of `pnpm new`, and the arguments that start a server made from each. */
const templates = [
  { template: 'notes', args: ['notes'] },
  { template: 'weather', args: ['--demo'] },
];

describe.skipIf(!inject('registry'))('a server that `pnpm new` makes in a copy of the repository', () => {
  let workspace: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'mcp-copied-'));
    copyRepository(workspace);
    await run('git', ['init', '--quiet'], { cwd: workspace });
    await run('git', ['add', '--all'], { cwd: workspace });
    for (const { template } of templates) {
      const args = ['scripts/new.ts', `my-${template}`, '--from', template];
      await run(process.execPath, args, { cwd: workspace });
    }
    const filters = templates.flatMap(({ template }) => ['--filter', `@mcp/server-my-${template}...`]);
    const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-frozen-lockfile'];
    await run('pnpm', [...install, '--filter', '.', ...filters], { cwd: workspace });
  });

  afterAll(() => rm(workspace, { recursive: true }));

  test.concurrent.each(templates)(
    'from $template builds, passes its tests and runs',
    async ({ template, args }) => {
      const name = `@mcp/server-my-${template}`;
      await run('pnpm', ['--filter', name, 'build'], { cwd: workspace });
      // Other suites run beside it.
      const patient = ['--testTimeout=120000', '--maxWorkers=2'];
      await run('pnpm', ['--filter', name, 'test', ...patient], { cwd: workspace });

      const server = spawnServer({
        command: process.execPath,
        args: [join(workspace, 'servers', `my-${template}`, 'dist/main.cjs'), ...args],
        cwd: workspace,
      });
      const client = await Client.connect(server.channel);
      expect(client.serverInfo?.name).toBe(name);
      await client.close();
      expect(await server.exited).toEqual({ code: 0, signal: null });
    },
  );
});
