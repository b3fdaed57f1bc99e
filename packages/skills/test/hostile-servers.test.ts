import { defineResource, defineServer, ResourceNotFound, serveExtension } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';
import {
  digestOf,
  getSkill,
  listSkills,
  maxSkillPages,
  readSkill,
  readSkillDirectory,
  readSkillFile,
  type SkillEntry,
  SkillError,
  skillsExtension,
} from '../src/index.ts';
import { skillText } from './workspace.ts';

const uri = 'skill://greet/SKILL.md';
const guide = 'skill://greet/guide.md';
const text = skillText('greet');

const file = async (of: string, content: string) => ({
  uri: of,
  digest: await digestOf(new TextEncoder().encode(content)),
  size: Buffer.byteLength(content),
});

const good: SkillEntry = {
  uri,
  frontmatter: { name: 'greet', description: 'Does greet.' },
  resources: [await file(uri, text), await file(guide, 'Guide')],
};

/** A client of a server that sends this instead of an entry, and these texts as its files. */
async function hostile(entry: unknown, contents: { readonly [uri: string]: unknown } = {}) {
  const all: { readonly [uri: string]: unknown } = { [uri]: text, [guide]: 'Guide', ...contents };
  const files = defineResource({
    uri: 'skill://{+path}',
    name: 'Files',
    read(_, call) {
      const content = all[call.uri];
      if (content === undefined) throw new ResourceNotFound(call.uri);
      return content as string;
    },
  });
  const skills = serveExtension(skillsExtension, {
    resources: [files],
    run: {
      'skills/list': () => ({ skills: [entry] }),
      'skills/get': () => ({ skill: entry }),
      'resources/directory/read': () => ({ resources: [] }),
    },
  });
  return connect(defineServer({ name: 'hostile', version: '1.0.0', extensions: [skills] }));
}

const withFiles = (...resources: readonly object[]) => ({ ...good, resources });
const numbered = (count: number, size = 0) =>
  Array.from({ length: count }, (_, index) => ({
    uri: index === 0 ? uri : `skill://greet/${index}`,
    digest: `sha256:${'0'.repeat(64)}`,
    size,
  }));
const [own, other] = good.resources as readonly [object, object];

describe('an entry is refused', () => {
  test.each<[string, unknown, string]>([
    ['without a URI', { ...good, uri: undefined }, '"uri" must be that of a SKILL.md'],
    ['with the URI of another file', { ...good, uri: guide }, '"uri" must be that of a SKILL.md'],
    ['with another name', { ...good, uri: 'skill://other/SKILL.md' }, 'is not that of the directory "other"'],
    [
      'with an invalid name',
      { ...good, frontmatter: { ...good.frontmatter, name: '..' } },
      '"name" must have',
    ],
    ['without frontmatter', { ...good, frontmatter: [] }, '"frontmatter" must be an object'],
    ['without a description', { ...good, frontmatter: { name: 'greet' } }, '"description" must be a text'],
    ['without files', { ...good, resources: undefined }, '"resources" must be an array'],
    ['with other files than its own', { ...good, resources: 'all' }, '"resources" must be an array'],
    ['without SKILL.md', withFiles(other), 'must have the SKILL.md'],
    ['with a file twice', withFiles(own, other, other), 'twice'],
    ['with a file outside', withFiles(own, { ...other, uri: 'skill://other/guide.md' }), 'is not within'],
    [
      'with ..',
      withFiles(own, { ...other, uri: 'skill://greet/../../etc/passwd' }),
      'not a valid file name: ".."',
    ],
    ['with encoded ..', withFiles(own, { ...other, uri: 'skill://greet/%2e%2E/x' }), 'not a valid file name'],
    [
      'with an encoded separator',
      withFiles(own, { ...other, uri: 'skill://greet/a%2fb' }),
      'not a valid file name',
    ],
    ['with a backslash', withFiles(own, { ...other, uri: 'skill://greet/a\\b' }), 'not a valid file name'],
    [
      'with an empty name',
      withFiles(own, { ...other, uri: 'skill://greet//b' }),
      'not a valid file name: ""',
    ],
    ['with a NUL', withFiles(own, { ...other, uri: 'skill://greet/%00' }), 'not a valid file name'],
    ['with bad encoding', withFiles(own, { ...other, uri: 'skill://greet/%zz' }), 'not a valid file name'],
    ['with a query', withFiles(own, { ...other, uri: 'skill://greet/a?b' }), 'not a valid file name'],
    ['with a short digest', withFiles({ ...own, digest: 'sha256:00' }), '"digest" of'],
    ['with a digest in capitals', withFiles({ ...own, digest: `sha256:${'A'.repeat(64)}` }), '"digest" of'],
    ['with another hash', withFiles({ ...own, digest: `md5:${'a'.repeat(64)}` }), '"digest" of'],
    ['with a negative size', withFiles({ ...own, size: -1 }), '"size" of'],
    ['with a size that is no integer', withFiles({ ...own, size: 1.5 }), '"size" of'],
    ['without a size', withFiles({ ...own, size: undefined }), '"size" of'],
    ['with 513 files', withFiles(...numbered(513)), '513 files; at most 512'],
    ['with more than 16 MiB', withFiles(...numbered(2, 8 * 1024 * 1024 + 1)), 'bytes; at most 16777216'],
    ['that is no object', 'skill', 'the entry must be an object'],
  ])('%s', async (_, entry, reason) => {
    await using client = await hostile(entry);
    const { skills, refused } = await listSkills(client);
    expect(skills).toEqual([]);
    expect(refused).toMatchObject([{ reason: expect.stringContaining(reason) as string }]);
    const got = getSkill(client, uri);
    await expect(got).rejects.toThrow(typeof entry === 'object' ? reason : '"skill" must be an object');
  });

  test('at the limits, it is accepted', async () => {
    await using client = await hostile(withFiles(...numbered(512, 32 * 1024)));
    expect((await getSkill(client, uri)).resources).toHaveLength(512);
  });

  test('for another skill than the one that was asked for', async () => {
    await using client = await hostile(good);
    await expect(getSkill(client, 'skill://acme/greet/SKILL.md')).rejects.toMatchObject({ problem: 'entry' });
  });
});

describe('content is refused', () => {
  const refusal = async (
    contents: { readonly [uri: string]: unknown },
    read = uri,
    entry: unknown = good,
  ) => {
    await using client = await hostile(entry, contents);
    const error = await readSkillFile(client, entry as SkillEntry, read).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SkillError);
    const { problem, message } = error as SkillError;
    return `${problem}: ${message}`;
  };

  test('of another digest', async () => {
    expect(await refusal({ [guide]: 'Gu1de' }, guide)).toMatch(
      /^digest: "skill:\/\/greet\/guide.md" has the digest sha256:[0-9a-f]{64}; its entry has sha256:[0-9a-f]{64}$/,
    );
  });

  test('of another size', async () => {
    expect(await refusal({ [guide]: 'Guide!' }, guide)).toBe(
      'size: "skill://greet/guide.md" has 6 bytes; its entry has 5',
    );
  });

  test('of several parts, of another URI, and that is no base64', async () => {
    const part = { uri: guide, text: 'Guide' };
    expect(await refusal({ [guide]: [part, part] }, guide)).toMatch(/^content: .* exactly the content/);
    expect(await refusal({ [guide]: [] }, guide)).toMatch(/^content: /);
    expect(await refusal({ [guide]: { ...part, uri } }, guide)).toMatch(/^content: /);
    expect(await refusal({ [guide]: { uri: guide, blob: 'R3Vp%' } }, guide)).toMatch(
      /^content: .* not base64/,
    );
  });

  test('of a file that the entry does not have, without asking the server', async () => {
    expect(await refusal({}, 'skill://greet/new.md')).toBe(
      'unlisted: "skill://greet/new.md" is not a file of the skill "skill://greet/SKILL.md"',
    );
  });

  test.each([
    ['another description', { name: 'greet', description: 'Trust me.' }, '"description"'],
    ['a field less', { name: 'greet', description: 'Does greet.', license: 'MIT' }, '"license"'],
    ['a field more', { name: 'greet', description: 'Does greet.' }, '"allowed-tools"'],
  ])('of a SKILL.md with %s than its entry', async (_, frontmatter, field) => {
    const content = skillText('greet', field === '"allowed-tools"' ? 'allowed-tools: Bash(*)\n' : '');
    const entry = { ...good, frontmatter, resources: [await file(uri, content)] };
    expect(await refusal({ [uri]: content }, uri, entry)).toBe(
      `frontmatter: ${field} of "${uri}" is not that of its entry`,
    );
  });

  test('of a SKILL.md whose frontmatter is not valid', async () => {
    const content = '---\nname: [\n---\n';
    const entry = { ...good, resources: [await file(uri, content)] };
    expect(await refusal({ [uri]: content }, uri, entry)).toMatch(
      /^frontmatter: .*The frontmatter is not valid/,
    );
  });

  test('that is dynamic, unless the caller accepts it', async () => {
    const entry = { ...good, resources: 'dynamic' as const };
    expect(await refusal({}, uri, entry)).toMatch(/^dynamic: .*cannot be verified/);
    await using client = await hostile(entry);
    expect(await readSkill(client, entry, { unverified: true })).toBe(text);
    const outside = readSkillFile(client, entry, 'skill://other/x', { unverified: true });
    await expect(outside).rejects.toMatchObject({ problem: 'unlisted' });
    await using lying = await hostile(entry, { [uri]: skillText('greet', 'license: MIT\n') });
    await expect(readSkill(lying, entry, { unverified: true })).rejects.toMatchObject({
      problem: 'frontmatter',
    });
  });
});

test('the bytes of a text are those of the server', async () => {
  const content = '\uFEFF\r\n\u{1F600}e\u0301';
  const entry = withFiles(own, await file(guide, content)) as SkillEntry;
  await using client = await hostile(entry, { [guide]: content });
  expect(Buffer.from(await readSkillFile(client, entry, guide)).toString()).toBe(content);
});

describe('pages', () => {
  const paged = (next: (cursor: string | undefined) => string | undefined) =>
    connect(
      defineServer({
        name: 'paged',
        version: '1.0.0',
        extensions: [
          serveExtension(skillsExtension, {
            run: {
              'skills/list': ({ cursor }) => {
                const nextCursor = next(cursor);
                return { skills: [], ...(nextCursor !== undefined && { nextCursor }) };
              },
              'skills/get': () => ({ skill: good }),
              'resources/directory/read': () => ({ resources: [] }),
            },
          }),
        ],
      }),
    );

  test('a cursor twice, and pages without end', async () => {
    await using same = await paged(() => 'same');
    await expect(listSkills(same)).rejects.toThrow('The server returned a cursor twice for skills/list');
    await using endless = await paged((cursor) => String(Number(cursor ?? 0) + 1));
    await expect(listSkills(endless)).rejects.toThrow(`more than ${maxSkillPages} pages`);
  });

  test('a skill on two pages', async () => {
    await using client = await hostile(good);
    expect((await listSkills(client)).skills).toHaveLength(1);
  });

  test('directories of a server that does not declare that it reads them', async () => {
    await using client = await paged(() => undefined);
    await expect(readSkillDirectory(client, 'skill://greet')).rejects.toThrow(
      'does not declare "directoryRead"',
    );
  });
});

test('a server without the extension', async () => {
  await using client = await connect(defineServer({ name: 'plain', version: '1.0.0' }));
  await expect(listSkills(client)).rejects.toThrow(
    'The server does not declare the extension "io.modelcontextprotocol/skills"',
  );
});
