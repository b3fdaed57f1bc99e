import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isFetched, nodeProgram, nodeVersions } from './node-versions.ts';
import { packPackage } from './pack-package.ts';
import { filesystem } from './packed/filesystem.ts';
import { git } from './packed/git.ts';
import { sqlite } from './packed/sqlite.ts';
import { run as runServer } from './packed/run.ts';
import type { PackedServer } from './packed/packed-server.ts';
import { weather } from './packed/weather.ts';

const run = promisify(execFile);

const servers: readonly PackedServer[] = [filesystem, git, sqlite, weather, runServer];

for (const server of servers) {
  const needsRegistry = (server.dependencies ?? []).length > 0;
  describe.skipIf(needsRegistry && !inject('registry'))(`the tarball of ${server.name}`, () => check(server));
}

/** Whether a Node of this version is available or can be fetched. */
const hasNode = (version: string): boolean => isFetched(version) || inject('registry');

// All are fetched while the packages are packed and installed. Each test reports what fails.
beforeAll(() => void Promise.allSettled(nodeVersions.filter(hasNode).map(nodeProgram)));

function check(server: PackedServer): void {
  const { name, dependencies = [], nodes = nodeVersions } = server;
  let empty: string;
  let installed: string;

  beforeAll(async () => {
    empty = await mkdtemp(join(tmpdir(), 'mcp-packed-'));
    const { tarball } = await packPackage(`servers/${name}`, empty);
    await writeFile(join(empty, 'package.json'), '{ "private": true }\n');
    // Offline when the package has no dependencies.
    const offline = dependencies.length === 0 ? ['--offline'] : ['--prefer-offline'];
    await run('npm', ['install', ...offline, '--no-audit', '--no-fund', tarball], { cwd: empty });
    installed = join(empty, 'node_modules/@mcp', `server-${name}`);
  }, 120_000);

  afterAll(() => rm(empty, { recursive: true }));

  test('holds the program, its README and its license notices, and needs no other package than it says', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      dependencies?: object;
    };
    expect(Object.keys(manifest.dependencies ?? {})).toEqual(dependencies);
    expect(await readdir(installed)).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']),
    );
    expect(await readdir(join(installed, 'dist'))).toContain('third-party-licenses.txt');
    expect(await readdir(join(empty, 'node_modules/@mcp'))).toEqual([`server-${name}`]);
  });

  test('is started by npx from a folder that has it', async () => {
    const { stdout } = await run('npx', ['--offline', `mcp-server-${name}`, '--version'], { cwd: empty });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  for (const version of nodes) {
    test.skipIf(!hasNode(version))(`serves on Node ${version}`, { timeout: 200_000 }, () => serves(version));
  }

  async function serves(version: string): Promise<void> {
    const node = await nodeProgram(version);
    const directory = await mkdtemp(join(tmpdir(), 'mcp-packed-world-'));
    const args = await server.prepare(directory);
    const process = spawnServer({ command: node, args: [join(installed, 'dist/main.cjs'), ...args] });
    const client = await Client.connect(process.channel);
    await server.use(client, directory);
    await client.close();
    expect(await process.exited).toEqual({ code: 0, signal: null });
    await rm(directory, { recursive: true });
  }

  const { refuses } = server;
  if (!refuses) return;
  const { version, saying } = refuses;
  const tooOld = test.skipIf(!hasNode(version));
  tooOld('explains itself on a Node that is too old', { timeout: 200_000 }, async () => {
    const node = await nodeProgram(version);
    const refusal = run(node, [join(installed, 'dist/main.cjs')]);
    await expect(refusal).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(saying),
    });
  });
}
