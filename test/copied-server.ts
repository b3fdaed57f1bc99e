import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, inject, test } from 'vitest';
import { copyRepository } from '../release/rehearse/copy-repository.ts';

const run = promisify(execFile);

/**
 * Tests a server that `pnpm new` makes from a template in a copy of the repository, started
 * with these arguments.
 */
export function testCopiedServer(template: string, args: readonly string[]): void {
  test.skipIf(!inject('registry'))(
    `a server that \`pnpm new\` makes from ${template} builds, passes its tests and runs`,
    {
      // This runs the tests of a whole package.
      timeout: 900_000,
    },
    async () => {
      const workspace = await mkdtemp(join(tmpdir(), 'mcp-copied-'));
      try {
        copyRepository(workspace);
        await run('git', ['init', '--quiet'], { cwd: workspace });
        await run('git', ['add', '--all'], { cwd: workspace });
        await run(process.execPath, ['scripts/new.ts', 'recipes', '--from', template], { cwd: workspace });
        const copy = join(workspace, 'servers/recipes');

        const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-frozen-lockfile'];
        await run('pnpm', [...install, '--filter', '.', '--filter', '@mcp/server-recipes...'], {
          cwd: workspace,
        });
        await run('pnpm', ['--filter', '@mcp/server-recipes', 'build'], { cwd: workspace });
        // Other suites run beside it.
        const patient = ['--testTimeout=120000', '--maxWorkers=2'];
        await run('pnpm', ['--filter', '@mcp/server-recipes', 'test', ...patient], { cwd: workspace });

        const server = spawnServer({
          command: process.execPath,
          args: [join(copy, 'dist/main.cjs'), ...args],
          cwd: workspace,
        });
        const client = await Client.connect(server.channel);
        expect(client.serverInfo?.name).toBe('@mcp/server-recipes');
        await client.close();
        expect(await server.exited).toEqual({ code: 0, signal: null });
      } finally {
        await rm(workspace, { recursive: true });
      }
    },
  );
}
