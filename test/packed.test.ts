import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeProgram, nodeVersions } from './node-versions.ts';
import { repository } from './server-program.ts';

const run = promisify(execFile);

let empty: string;
let installed: string;

beforeAll(async () => {
  empty = await mkdtemp(join(tmpdir(), 'mcp-packed-'));
  await run('pnpm', ['pack', '--pack-destination', empty], { cwd: join(repository, 'servers/filesystem') });
  const [tarball] = (await readdir(empty)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(empty, 'package.json'), '{ "private": true }\n');
  // Offline: the package must bring all it needs.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: empty });
  installed = join(empty, 'node_modules/@mcp/server-filesystem');
}, 120_000);

afterAll(() => rm(empty, { recursive: true }));

test('the tarball holds the program, its README and its license notices, and needs no other package', async () => {
  const manifest = (await import(pathToFileURL(join(installed, 'package.json')).href, {
    with: { type: 'json' },
  })) as { default: { dependencies?: object } };
  expect(manifest.default.dependencies ?? {}).toEqual({});
  expect(await readdir(installed)).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']),
  );
  expect(await readdir(join(installed, 'dist'))).toContain('third-party-licenses.txt');
  expect((await readdir(join(empty, 'node_modules/@mcp'))).toSorted()).toEqual(['server-filesystem']);
});

test('npx starts it from a folder that has it', async () => {
  const { stdout } = await run('npx', ['--offline', 'mcp-server-filesystem', '--version'], { cwd: empty });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe.each(nodeVersions)('on Node %s', (version) => {
  test('serves files and hears of their changes', { timeout: 120_000 }, async () => {
    const node = await nodeProgram(version);
    const directory = await mkdtemp(join(tmpdir(), 'mcp-packed-files-'));
    const note = join(directory, 'note.txt');
    await writeFile(note, 'first\n');

    const server = spawnServer({ command: node, args: [join(installed, 'dist/main.cjs'), directory] });
    const client = await Client.connect(server.channel);
    const read = await client.callTool('read_text_file', { path: 'note.txt' });
    expect(read.content).toEqual([{ type: 'text', text: 'first\n' }]);
    const written = await client.callTool('write_file', { path: 'other.txt', content: 'other\n' });
    expect(written.isError).toBeUndefined();

    const heard = new Promise<void>((resolve) => {
      void client.subscribe(pathToFileURL(note).href, resolve).then(async () => {
        await writeFile(`${note}.new`, 'second\n');
        await rename(`${note}.new`, note);
      });
    });
    await heard;
    await client.close();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    await rm(directory, { recursive: true });
  });
});
