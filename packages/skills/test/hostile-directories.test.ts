import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineServer } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import {
  defineSkill,
  getSkill,
  listSkills,
  readSkillFile,
  serveSkills,
  type SkillEntry,
} from '../src/index.ts';
import { skillText, temporary, writeFiles, writeSkill } from './workspace.ts';

const uri = 'skill://greet/SKILL.md';
const secret = 'The secret outside';

/** A client of a server with one skill, and the warnings of the server. */
async function served(directory: string) {
  const warnings: string[] = [];
  const skills = serveSkills([defineSkill(directory)], { onWarning: (message) => warnings.push(message) });
  const client = await connect(defineServer({ name: 'hostile', version: '1.0.0', extensions: [skills] }));
  return { client, warnings, [Symbol.asyncDispose]: () => client.close() };
}

/** Expects that a skill is not served for this reason, and is not listed. */
async function expectRefused(directory: string, reason: string): Promise<void> {
  await using server = await served(directory);
  const message = `The skill "${uri}" cannot be served: ${reason}`;
  await expect(getSkill(server.client, uri)).rejects.toThrow(message);
  expect(await listSkills(server.client)).toEqual({ skills: [], refused: [] });
  expect(server.warnings).toEqual([expect.stringContaining(message)]);
  await expect(server.client.readResource(uri)).rejects.toThrow(reason);
}

async function outside(): Promise<string> {
  const path = join(await temporary(), 'secret.md');
  await writeFile(path, secret);
  return path;
}

test.skipIf(process.platform === 'win32').each(['file', 'directory', 'nothing', 'itself'])(
  'a link to a %s',
  async (target) => {
    const directory = await writeSkill('greet', { 'references/guide.md': 'Guide' });
    const file = await outside();
    const to = { file, directory: join(file, '..'), nothing: '/nowhere', itself: '.' }[target]!;
    await symlink(to, join(directory, 'references/link'));
    await expectRefused(directory, '"references/link" is a symbolic link');
  },
);

test.skipIf(process.platform === 'win32')('a SKILL.md that is a link', async () => {
  const directory = await writeSkill('greet');
  await rm(join(directory, 'SKILL.md'));
  await symlink(await outside(), join(directory, 'SKILL.md'));
  await expectRefused(directory, '"SKILL.md" is a symbolic link');
});

test.skipIf(process.platform === 'win32')('a FIFO, which nobody writes', async () => {
  const directory = await writeSkill('greet');
  execFileSync('mkfifo', [join(directory, 'pipe')]);
  await expectRefused(directory, '"pipe" is a FIFO');
});

test.skipIf(process.platform === 'win32')('a socket', async () => {
  const directory = await writeSkill('greet');
  const server = createServer().listen(join(directory, 's'));
  await once(server, 'listening');
  await expectRefused(directory, '"s" is a socket');
  server.close();
});

test('513 files', async () => {
  const many = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`${index}.md`, 'x']));
  const directory = await writeSkill('greet', many);
  await expectRefused(directory, 'it has more than 512 files');
  await rm(join(directory, '7.md'));
  await using server = await served(directory);
  expect((await getSkill(server.client, uri)).resources).toHaveLength(512);
});

test('513 directories', async () => {
  const directory = await writeSkill('greet');
  for (let index = 0; index < 512; index++) await mkdir(join(directory, `d${index}`));
  await expectRefused(directory, 'it has more than 512 directories');
});

test('directories 33 levels deep', async () => {
  await expectRefused(await writeSkill('greet', { [`${'d/'.repeat(33)}x.md`]: 'x' }), '"d/d/');
});

test('more than 16 MiB: of one sparse file, and of all together', async () => {
  const directory = await writeSkill('greet', { 'huge.bin': '' });
  await truncate(join(directory, 'huge.bin'), 2 ** 40);
  await expectRefused(directory, 'its files have more than 16777216 bytes');
  const half = new Uint8Array(8 * 1024 * 1024);
  await writeFiles(directory, { 'huge.bin': half, 'other.bin': half });
  await expectRefused(directory, 'its files have more than 16777216 bytes');
  await writeFiles(directory, { 'other.bin': half.subarray(skillText('greet').length) });
  await using server = await served(directory);
  const entry = await getSkill(server.client, uri);
  expect(await readSkillFile(server.client, entry, 'skill://greet/huge.bin')).toEqual(half);
});

test('a file that grows beyond the limit is no longer read', async () => {
  const directory = await writeSkill('greet', { 'log.txt': 'one' });
  await using server = await served(directory);
  await getSkill(server.client, uri);
  await truncate(join(directory, 'log.txt'), 2 ** 40);
  await expect(server.client.readResource('skill://greet/log.txt')).rejects.toThrow('16777216 bytes');
});

test.skipIf(process.platform === 'win32')(
  'a file or directory that becomes a link is no longer read',
  async () => {
    const directory = await writeSkill('greet', { 'a/secret.md': 'ours', 'b.md': 'ours' });
    const file = await outside();
    await using server = await served(directory);
    await getSkill(server.client, uri);
    await rename(join(directory, 'a'), join(directory, '.a'));
    await symlink(join(file, '..'), join(directory, 'a'));
    await rm(join(directory, 'b.md'));
    await symlink(file, join(directory, 'b.md'));
    for (const path of ['a/secret.md', 'b.md'])
      await expect(server.client.readResource(`skill://greet/${path}`)).rejects.toThrow(
        'No skill has the file',
      );
  },
);

test('names that start with a dot are not served', async () => {
  const directory = await writeSkill('greet', { '.env': secret, '.git/config': secret, 'a/.DS_Store': 'x' });
  await using server = await served(directory);
  expect((await getSkill(server.client, uri)).resources).toHaveLength(1);
  for (const path of ['.env', '.git/config', 'a/.DS_Store', '%2eenv'])
    await expect(server.client.readResource(`skill://greet/${path}`)).rejects.toThrow(
      'No skill has the file',
    );
});

test.skipIf(process.platform !== 'linux')('names that are not valid everywhere', async () => {
  const directory = await writeSkill('greet', { 'a\nb.md': 'x' });
  await expectRefused(directory, '"a\\nb.md" has a name that is not valid everywhere');
  await rm(join(directory, 'a\nb.md'));
  await writeFile(Buffer.concat([Buffer.from(`${directory}/`), Buffer.of(0xff, 0xfe)]), 'x');
  await expectRefused(directory, '"\uFFFD\uFFFD" has a name that is not valid everywhere');
});

test.each([
  ['no frontmatter', '# Greet\n', 'There is no frontmatter'],
  ['no end of it', '---\nname: greet\n', 'There is no frontmatter'],
  ['another name', skillText('other'), 'The name "other" must be that of the directory, "greet"'],
  ['no description', '---\nname: greet\n---\n', 'The frontmatter needs "description", a text'],
  ['a number as its name', '---\nname: 7\ndescription: x\n---\n', 'The frontmatter needs "name", a text'],
  [
    'a long description',
    skillText('greet').replace('Does', 'x'.repeat(1020)),
    'The description has more than 1024 characters',
  ],
  ['bytes that are no text', Uint8Array.of(0x2d, 0xff), 'SKILL.md is not text in UTF-8'],
])('a SKILL.md with %s', async (_, content, reason) => {
  await expectRefused(await writeSkill('greet', { 'SKILL.md': content }), reason);
});

test('a directory without SKILL.md, and no directory', async () => {
  const directory = await writeSkill('greet', { 'a.md': 'x' });
  await rm(join(directory, 'SKILL.md'));
  await expectRefused(directory, 'it has no SKILL.md');
  await rm(directory, { recursive: true });
  await expectRefused(directory, 'the directory cannot be read (ENOENT)');
  await writeFile(directory, 'x');
  await expectRefused(directory, 'the directory cannot be read (ENOTDIR)');
});

test('a hard link is a file of the skill, as package managers make them', async () => {
  const directory = await writeSkill('greet');
  await link(await outside(), join(directory, 'linked.md'));
  await using server = await served(directory);
  expect((await getSkill(server.client, uri)).resources).toHaveLength(2);
});

/** Starts a program that changes files until it is ended, and waits for its first round. */
async function changing(name: string, ...args: readonly string[]) {
  const program = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill();
      const [code] = await ended;
      expect(code).toBe(null);
    },
  };
}

test.skipIf(process.platform !== 'linux')(
  'a directory that another process replaces by a link again and again: nothing outside is read',
  async () => {
    const directory = await writeSkill('greet', { 'a/secret.md': 'ours' });
    await using server = await served(directory);
    await getSkill(server.client, uri);
    await using _swapper = await changing(
      'swap-directory',
      join(directory, 'a'),
      join(await outside(), '..'),
    );
    const size = (entry: SkillEntry) =>
      entry.resources !== 'dynamic' && entry.resources.find((file) => file.uri.endsWith('secret.md'))?.size;
    for (let index = 0; index < 300; index++) {
      const read = server.client.readResource('skill://greet/a/secret.md');
      const text = await read.then(
        ({ contents }) => contents[0] && 'text' in contents[0] && contents[0].text,
        () => 'ours',
      );
      expect(text).toBe('ours');
      expect(await getSkill(server.client, uri).then(size, () => 4)).toBeOneOf([4, undefined]);
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'a file that another process replaces again and again has one of its contents, and no mixture',
  async () => {
    const directory = await writeSkill('greet', { 'file.txt': 'a'.repeat(200_000) });
    await using server = await served(directory);
    await using _writer = await changing('replace-file', join(directory, 'file.txt'));
    const contents = ['a', 'b'].map((letter) => letter.repeat(200_000));
    let verified = 0;
    while (verified < 3) {
      try {
        const entry = await getSkill(server.client, uri);
        const bytes = await readSkillFile(server.client, entry, 'skill://greet/file.txt');
        expect(contents.indexOf(Buffer.from(bytes).toString())).not.toBe(-1);
        verified++;
      } catch (error) {
        // The content is another one than that of the entry, or the file has changed in each of three reads.
        expect(String(error)).toMatch(/file\.txt" (has the digest|changes while it is read)|EBUSY/);
      }
    }
  },
);
