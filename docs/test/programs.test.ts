import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { afterAll, expect, test } from 'vitest';
import { PageCode } from './page-code.ts';
import { codeBlocks, readPage, repository } from './pages.ts';

const run = promisify(execFile);
const code = new PageCode();
afterAll(() => code[Symbol.dispose]());

const official = join(repository, 'test/official/node_modules/@modelcontextprotocol/sdk/dist/esm');

const connect = (program: string) =>
  Client.connect(serverCommand({ command: process.execPath, args: [program], stderr: 'inherit' }));

test('coming-from/sdk.md: the server of the official SDK and ours give the same answers', async (context) => {
  context.skip(!existsSync(official), 'The official SDK is not installed');
  const answers = codeBlocks('coming-from/sdk.md')
    .filter(({ language }) => language === 'ts')
    .map(async ({ code: text }, index) => {
      const file = join(code.directory, `notes-${index}.ts`);
      writeFileSync(file, text.replaceAll("'@modelcontextprotocol/sdk", `'${official}`));
      await using client = await connect(file);
      return {
        tools: (await client.listTools()).map(({ name, description }) => ({ name, description })),
        added: (await client.callTool('add_note', { id: 'bread', text: 'Buy bread' })).content,
        notes: (await client.listResources()).map(({ uri, name }) => ({ uri, name })),
        note: (await client.readResource('note:///bread')).contents.map(
          (each) => 'text' in each && each.text,
        ),
        prompt: (await client.getPrompt('shorten', { id: 'milk' })).messages,
      };
    });
  const [theirs, ours] = await Promise.all(answers);
  expect(ours).toEqual(theirs);
  expect(ours?.note).toEqual(['Buy bread']);
});

test('tutorial.md: the server starts from a directory that is a link', async () => {
  const project = join(code.directory, 'tutorial');
  mkdirSync(project);
  for (const { file, code: text } of codeBlocks('tutorial.md')) {
    if (file !== undefined) writeFileSync(join(project, file), text);
  }
  const configuration = codeBlocks('tutorial.md').find(({ language }) => language === 'json');
  const [, name = ''] = /\/path\/to\/shopping\/([\w.]+)/.exec(configuration!.code) ?? [];
  const link = join(code.directory, 'tutorial-link');
  symlinkSync(project, link);
  await using client = await connect(join(link, name));
  expect((await client.listTools()).map((tool) => tool.name)).toEqual(['add_item']);
});

test('tutorial.md: the command of a clone is found from the directory of the project', () => {
  const [, path = ''] = /`node (\S+\/dist\/main\.cjs)`/.exec(readPage('tutorial.md')) ?? [];
  expect(join(repository, 'shopping', path)).toBe(join(repository, 'packages/host/dist/main.cjs'));
});

test('guides/publish.md: the package holds the program, which starts', async () => {
  const project = join(code.directory, 'shopping');
  mkdirSync(project);
  const program = codeBlocks('tutorial.md').findLast(({ file }) => file === 'server.mjs');
  writeFileSync(join(project, 'server.mjs'), program!.code);
  const main = codeBlocks('guides/publish.md').find(({ file }) => file === 'main.mjs');
  writeFileSync(join(project, 'main.mjs'), main!.code);
  const manifest = codeBlocks('guides/publish.md').find(({ language }) => language === 'json');
  writeFileSync(join(project, 'package.json'), manifest!.code);
  const pack = codeBlocks('guides/publish.md').find(({ code: text }) => text.startsWith('npm pack\n'));
  const packed = /npx \.\/(\S+)/.exec(pack!.code)?.[1] ?? '';

  await run('npm', ['pack'], { cwd: project });
  const empty = join(code.directory, 'empty');
  mkdirSync(empty);
  await run('tar', ['-xzf', join(project, packed)], { cwd: empty });
  // npm starts a program through a link.
  const link = join(empty, 'mcp-server-shopping');
  const { bin } = JSON.parse(manifest!.code) as { bin: Readonly<Record<string, string>> };
  symlinkSync(join(empty, 'package', bin['mcp-server-shopping']!), link);
  await using client = await connect(link);
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['add_item']);
  expect((await run(process.execPath, [link, '--version'])).stdout).toBe('1.0.0\n');
});
