import { createHash } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineResource, defineServer, extensionSettings } from '@mcp/protocol';
import { Client, revisions, serverAt } from '@mcp/protocol/client';
import { serveHttp } from '@mcp/protocol/http';
import { connect } from '@mcp/protocol/testing';
import { Watcher } from '@mcp/watch';
import { describe, expect, test } from 'vitest';
import {
  defineSkill,
  getSkill,
  listSkills,
  readSkill,
  readSkillDirectory,
  readSkillFile,
  serveSkills,
  type ServeSkillsOptions,
  type Skill,
  skillsExtension,
} from '../src/index.ts';
import { skillText, temporary, writeFiles, writeSkill } from './workspace.ts';

const serverOf = (skills: readonly Skill[], options?: ServeSkillsOptions) =>
  defineServer({ name: 'skilled', version: '1.0.0', extensions: [serveSkills(skills, options)] });

const files = {
  'references/guide.md': '# Guide\n',
  'references/deep/My file.txt': '\uFEFFwith a byte order mark\r\n',
  'assets/dot.png': Uint8Array.of(0x89, 0x50, 0, 0xff),
};

describe.each(revisions)('at %s', (revision) => {
  test('a client lists, gets and reads a skill', async () => {
    const server = serverOf([defineSkill(await writeSkill('greet', files))]);
    await using client = await connect(server, { revision });
    expect(extensionSettings(client.capabilities, skillsExtension)).toEqual({ directoryRead: true });
    expect(client.capabilities).toMatchObject({ resources: {} });

    const { skills, refused } = await listSkills(client);
    expect(refused).toEqual([]);
    const text = skillText('greet');
    const digest = (content: string | Uint8Array) =>
      `sha256:${createHash('sha256').update(content).digest('hex')}`;
    const file = (path: string, content: string | Uint8Array) => ({
      uri: `skill://greet/${path}`,
      digest: digest(content),
      size: Buffer.byteLength(content),
    });
    const entry = {
      uri: 'skill://greet/SKILL.md',
      frontmatter: { name: 'greet', description: 'Does greet.' },
      resources: [
        file('SKILL.md', text),
        file('assets/dot.png', files['assets/dot.png']),
        file('references/deep/My%20file.txt', files['references/deep/My file.txt']),
        file('references/guide.md', files['references/guide.md']),
      ],
    };
    expect(skills).toEqual([entry]);
    expect(await getSkill(client, entry.uri)).toEqual(entry);
    expect(await readSkill(client, entry)).toBe(text);
    for (const { uri, digest: expected } of entry.resources)
      expect(digest(await readSkillFile(client, entry, uri))).toBe(expected);
    const { contents } = await client.readResource('skill://greet/assets/dot.png');
    expect(contents).toEqual([
      { uri: 'skill://greet/assets/dot.png', mimeType: 'image/png', blob: 'iVAA/w==' },
    ]);
  });

  test('it reads directories', async () => {
    await using client = await connect(serverOf([defineSkill(await writeSkill('greet', files))]), {
      revision,
    });
    expect(await readSkillDirectory(client, 'skill://greet')).toEqual([
      {
        uri: 'skill://greet/SKILL.md',
        name: 'greet',
        description: 'Does greet.',
        mimeType: 'text/markdown',
        size: skillText('greet').length,
      },
      { uri: 'skill://greet/assets', name: 'assets', mimeType: 'inode/directory' },
      { uri: 'skill://greet/references', name: 'references', mimeType: 'inode/directory' },
    ]);
    expect(await readSkillDirectory(client, 'skill://greet/references/deep')).toMatchObject([
      { name: 'My file.txt', uri: 'skill://greet/references/deep/My%20file.txt' },
    ]);
  });

  test.each([
    ['skills/get', 'skill://greet'],
    ['skills/get', 'skill://greet/references/guide.md'],
    ['skills/get', 'skill://other/SKILL.md'],
    ['skills/get', ''],
    ['resources/directory/read', 'skill://greet/SKILL.md'],
    ['resources/directory/read', 'skill://greet/'],
    ['resources/directory/read', 'skill://greet/other'],
    ['resources/directory/read', 'skill://greet/references/..'],
    ['skills/list', 7],
  ])('%s of "%s" is refused with -32602', async (method, uri) => {
    await using client = await connect(serverOf([defineSkill(await writeSkill('greet', files))]), {
      revision,
    });
    await expect(
      client.request(method, method === 'skills/list' ? { cursor: uri } : { uri }),
    ).rejects.toMatchObject({
      cause: { code: -32602 },
    });
  });

  test.each(['greet/other.md', 'greet/../greet/SKILL.md', 'greet/%2e%2e/x', 'greet/SKILL.md/', 'x'])(
    'no other file is read: skill://%s',
    async (path) => {
      await using client = await connect(serverOf([defineSkill(await writeSkill('greet', files))]), {
        revision,
      });
      const read = client.readResource(`skill://${path}`);
      await expect(read).rejects.toMatchObject({
        cause: { code: revision === '2026-07-28' ? -32602 : -32002 },
      });
    },
  );

  test('a client is notified of changes of a file, and of all in a directory', async () => {
    const directory = await writeSkill('greet', files);
    await using watcher = {
      watcher: new Watcher(),
      [Symbol.asyncDispose]: async () => watcher.watcher.close(),
    };
    const server = serverOf([defineSkill(directory)], watcher);
    await using client = await connect(server, { revision });
    const changes = new Changes();
    await client.subscribe('skill://greet/references/guide.md', changes.of('file'));
    await client.subscribe('skill://greet', changes.of('skill'));

    await writeFiles(directory, { 'references/guide.md': '# Changed\n' });
    await changes.next('file', 'skill');
    await writeFiles(directory, { 'new/more/file.md': 'new' });
    await changes.next('skill');
    await writeFiles(directory, { 'new/more/file.md': 'changed' });
    await changes.next('skill');
    await rm(join(directory, 'references'), { recursive: true });
    await changes.next('file', 'skill');
    const { skills } = await listSkills(client);
    expect(skills[0]?.resources).toHaveLength(3);
  });
});

/** Notifications by name, which a test awaits. */
class Changes {
  readonly #waiting = new Map<string, () => void>();
  readonly #seen = new Set<string>();

  of(name: string): () => void {
    return () => {
      this.#seen.add(name);
      this.#waiting.get(name)?.();
    };
  }

  async next(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (!this.#seen.has(name)) await new Promise<void>((resolve) => this.#waiting.set(name, resolve));
      this.#seen.delete(name);
    }
  }
}

test('skills are in no list of resources', async () => {
  const note = defineResource({ uri: 'note:one', name: 'One', read: () => 'One' });
  const server = defineServer({
    name: 'skilled',
    version: '1.0.0',
    resources: [note],
    extensions: [serveSkills([defineSkill(await writeSkill('greet'))])],
  });
  await using client = await connect(server);
  expect(await client.listResources()).toEqual([{ uri: 'note:one', name: 'One' }]);
  expect(await client.listResourceTemplates()).toEqual([]);
});

test('with `listed`, the list of resources has the SKILL.md of each skill', async () => {
  const skills = [defineSkill(await writeSkill('greet', files)), defineSkill('/nowhere/gone')];
  await using client = await connect(serverOf(skills, { listed: true, onWarning: () => {} }));
  const [listed, ...others] = await client.listResources();
  expect(listed).toMatchObject({ uri: 'skill://greet/SKILL.md', name: 'greet', description: 'Does greet.' });
  expect(others).toEqual([]);
  expect(await client.listResourceTemplates()).toEqual([]);
});

test('lists have pages, their order is that of the URIs, and a cursor outlives the skills', async () => {
  const root = await temporary();
  const names = ['c', 'a', 'e', 'b', 'd'];
  for (const name of names) await writeFiles(join(root, name), { 'SKILL.md': skillText(name) });
  const skills = names.map((name) => defineSkill(join(root, name)));
  await using client = await connect(serverOf(skills, { pageSize: 2, onWarning: () => {} }));
  const page = (cursor?: unknown) => client.request('skills/list', cursor ? { cursor } : {});
  const first = await page();
  expect(first).toMatchObject({
    skills: [{ uri: 'skill://a/SKILL.md' }, {}],
    nextCursor: expect.any(String) as string,
  });
  await rm(join(root, 'b'), { recursive: true });
  expect(await page(first['nextCursor'])).toMatchObject({ skills: [{}, { uri: 'skill://d/SKILL.md' }] });
  expect((await listSkills(client)).skills.map(({ frontmatter }) => frontmatter.name)).toEqual([
    'a',
    'c',
    'd',
    'e',
  ]);
});

test('results say how long clients may keep them', async () => {
  const skill = defineSkill(await writeSkill('greet'));
  const cache = { ttlMs: 60_000, cacheScope: 'public' } as const;
  await using client = await connect(serverOf([skill], { cache }));
  expect(await client.request('skills/list')).toMatchObject({ ...cache, resultType: 'complete' });
  expect(await client.request('skills/get', { uri: skill.uri })).toMatchObject(cache);
  expect(await client.request('resources/read', { uri: skill.uri })).toMatchObject(cache);
  await using uncached = await connect(serverOf([skill]));
  expect(await uncached.request('skills/list')).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
});

test('a skill in a skill is a part of it, and a skill of its own', async () => {
  const directory = await writeSkill('outer', { 'inner/SKILL.md': skillText('inner') });
  const skills = [
    defineSkill(directory),
    defineSkill(pathToFileURL(join(directory, 'inner/')), { prefix: 'outer' }),
  ];
  await using client = await connect(serverOf(skills));
  const inner = 'skill://outer/inner/SKILL.md';
  const uris = async (uri: string) => {
    const { resources } = await getSkill(client, uri);
    return resources === 'dynamic' ? [] : resources.map((file) => file.uri);
  };
  expect(await uris('skill://outer/SKILL.md')).toEqual(['skill://outer/SKILL.md', inner]);
  expect(await uris(inner)).toEqual([inner]);
  expect(await readSkill(client, await getSkill(client, inner))).toBe(skillText('inner'));
});

test('over HTTP it is the same', async () => {
  const listener = await serveHttp(serverOf([defineSkill(await writeSkill('greet', files))]), { port: 0 });
  try {
    for (const revision of ['2025-06-18', '2026-07-28']) {
      await using client = await Client.connect(serverAt(listener.url), { revision });
      const [entry] = (await listSkills(client)).skills;
      expect(await readSkill(client, entry!)).toBe(skillText('greet'));
    }
  } finally {
    await listener.close();
  }
});

test('changes are read when they are asked for', async () => {
  const directory = await writeSkill('greet', files);
  await using client = await connect(serverOf([defineSkill(directory)]));
  const [before] = (await listSkills(client)).skills;
  await writeFiles(directory, { 'references/guide.md': '# Other\n' });
  const uri = 'skill://greet/references/guide.md';
  await expect(readSkillFile(client, before!, uri)).rejects.toMatchObject({ problem: 'digest', uri });
  const now = await getSkill(client, before!.uri);
  expect(Buffer.from(await readSkillFile(client, now, uri)).toString()).toBe('# Other\n');
});

describe('mistakes of authors', () => {
  test.each(['/tmp/Upper', '/tmp/a--b', '/tmp/-a', '/', `/tmp/${'a'.repeat(65)}`])(
    'the directory %s',
    (path) => {
      expect(() => defineSkill(path)).toThrow('The directory of a skill must have a name of');
    },
  );

  test('a prefix', () => {
    expect(() => defineSkill('/tmp/a', { prefix: 'acme/../x' })).toThrow('Each segment of the prefix');
  });

  test('two skills with one URI', () => {
    expect(() => serveSkills([defineSkill('/a/greet'), defineSkill('/b/greet')])).toThrow(
      'Two skills have the URI "skill://greet/SKILL.md"; give one of them a prefix',
    );
  });

  test('the directory may be reached by a link', async () => {
    const directory = await writeSkill('greet');
    const link = join(await temporary(), 'greet');
    await symlink(directory, link);
    await using client = await connect(serverOf([defineSkill(link)]));
    expect((await listSkills(client)).skills).toHaveLength(1);
  });
});
