import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packPackage } from './pack-package.ts';

const run = promisify(execFile);

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mcp-packed-host-'));
  const tarballs = [];
  for (const name of ['protocol', 'host'])
    tarballs.push((await packPackage(`packages/${name}`, directory)).tarball);
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: directory });
}, 120_000);

afterAll(() => rm(directory, { recursive: true }));

// The Python SDK and mcp-framework have a command `mcp`, too.
test.each(['mcp', 'mcp-host', '@mcp/host'])('npx starts the packed host as %s', async (name) => {
  const { stdout } = await run('npx', ['--offline', name, '--version'], { cwd: directory });
  expect(stdout).toMatch(/^mcp \d+\.\d+\.\d+\n$/);
});
