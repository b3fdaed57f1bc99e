import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { afterAll, expect, test } from 'vitest';
import { matches } from '../../packages/host/test/session-pattern.ts';
import { isFetched, nodeProgram } from '../../test/node-versions.ts';
import { serverProgram } from '../../test/server-program.ts';
import { codeBlocks, repository } from './pages.ts';
import { Workspace } from './workspace.ts';

// The messages that the page shows without a command: each is printed here by the program that
// prints it for a user.

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

const shown = codeBlocks('troubleshooting.md')
  .filter(({ language }) => language === 'text')
  .map(({ code }) => code.trimEnd());

const expectShown = (printed: string) =>
  expect(
    shown.filter((text) => matches(printed.trimEnd(), text)),
    printed,
  ).toHaveLength(1);

test('there are as many messages as these tests provoke', () => expect(shown).toHaveLength(9));

/** What npx itself prints where it does not have a package. */
function npx(registry: string): Promise<string> {
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: workspace.directory,
    npm_config_registry: registry,
    npm_config_fetch_retries: '0',
  };
  return new Promise((resolve) => {
    const child = execFile(
      'npx',
      ['-y', '@mcp/server-filesystem', '.'],
      { cwd: workspace.directory, env, shell: process.platform === 'win32' },
      (_error, _stdout, stderr) => resolve(stderr),
    );
    child.stdin?.end();
  });
}

test('npx and a registry that does not have the package', async () => {
  const registry = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  const { port } = registry.address() as AddressInfo;
  expectShown(await npx(`http://127.0.0.1:${port}`));
  registry.close();
});

test('npx without a network', async () => expectShown(await npx('http://registry.invalid')));

const official = join(repository, 'test/official/node_modules/@modelcontextprotocol/sdk/dist/esm/client');

test('a host of the official SDK that does not find npx', async (context) => {
  context.skip(!existsSync(official), 'The official SDK is not installed');
  // The official client asks the process for its PATH.
  const code = `
    const { Client } = await import('${official}/index.js');
    const { StdioClientTransport } = await import('${official}/stdio.js');
    const transport = new StdioClientTransport({ command: 'npx', args: ['-y', '@mcp/server-weather'] });
    await new Client({ name: 'host', version: '1.0.0' }).connect(transport).catch((error) => console.log(String(error)));`;
  workspace.put('host.mjs', code);
  expectShown(await workspace.run(`PATH=/nonexistent '${process.execPath}' host.mjs`));
});

test.each([
  ['filesystem', 'list_directory', { path: '.' }],
  ['git', 'git_status', {}],
])('a call of %s without an allowed path', async (name, tool, args) => {
  await using client = await Client.connect(
    serverCommand({ command: process.execPath, args: [serverProgram(name)] }),
  );
  const { content } = await client.callTool(tool, args);
  expectShown(content[0]?.type === 'text' ? content[0].text : '');
});

test.each([
  ['no git on the PATH', '/nonexistent'],
  ['an old git on the PATH', './old'],
])('%s', async (_, path) => {
  mkdirSync(join(workspace.directory, 'old'), { recursive: true });
  workspace.put('old/git', '#!/bin/sh\necho git version 2.30.1\n');
  chmodSync(join(workspace.directory, 'old/git'), 0o755);
  const command = `PATH=${path} '${process.execPath}' '${serverProgram('git')}' -r . 2>&1 | head -1`;
  expectShown(await workspace.run(command));
});

test('a repository of another user', async (context) => {
  context.skip(process.getuid?.() !== 0, 'Changing the owner of a directory requires root');
  await workspace.run('git init --quiet other');
  chownSync(join(workspace.directory, 'other'), 12_345, 12_345);
  expectShown(await workspace.run('npx @mcp/server-git --repository other'));
});

test('the SQLite server on Node 20', async (context) => {
  context.skip(!isFetched('20.19'), 'Node 20.19 is not fetched');
  expectShown(await workspace.run(`'${await nodeProgram('20.19')}' '${serverProgram('sqlite')}'`));
});
