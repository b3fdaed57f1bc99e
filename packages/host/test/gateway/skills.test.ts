import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getSkill, listSkills, readSkill, readSkillDirectory } from '@mcp/skills';
import { TemporaryDirectory } from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { afterAll, describe, expect, test } from 'vitest';
import { GatewayProgram, probeServer } from './gateway-program.ts';

const server = bundledProgram(fileURLToPath(new URL('../skill-server.ts', import.meta.url)));
const directory = new TemporaryDirectory('gateway-skills');
const skillText = (name: string, by: string) =>
  `---\nname: ${name}\ndescription: Does ${name}, by ${by}.\n---\n# ${name}\n`;

/** The path of a skill that a server has. */
function skill(by: string, name: string): string {
  const path = join(directory.root, by, name, 'SKILL.md');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, skillText(name, by));
  return dirname(path);
}

const entry = (...args: readonly string[]) => ({ command: process.execPath, args: [server, ...args] });
const gateway = new GatewayProgram({
  one: entry(skill('one', 'greet'), skill('one', 'leave')),
  plain: probeServer('plain', 'legacy'),
  two: entry(skill('two', 'greet'), skill('two', 'stay')),
});
const alone = new GatewayProgram({ one: entry(skill('one', 'greet')) });
const without = new GatewayProgram({ plain: probeServer('plain', 'legacy') });
afterAll(async () => {
  await Promise.all([gateway, alone, without].map((each) => each[Symbol.asyncDispose]()));
  directory[Symbol.dispose]();
});

const second = 'mcp://two/skill://greet/SKILL.md';

describe.each(['2025-06-18', '2026-07-28'])('a client of %s', (revision) => {
  test.each(['stdio', 'http'] as const)(
    'lists and reads the skills of all servers, over %s',
    async (transport) => {
      const client = await gateway[transport]({ revision });
      const { skills, refused } = await listSkills(client);
      expect(refused).toEqual([]);
      expect(skills.map(({ uri }) => uri)).toEqual([
        'skill://greet/SKILL.md',
        'skill://leave/SKILL.md',
        second,
        'skill://stay/SKILL.md',
      ]);
      for (const each of skills) {
        const by = each.frontmatter.description.endsWith('one.') ? 'one' : 'two';
        expect(await readSkill(client, each)).toBe(skillText(each.frontmatter.name, by));
        expect(await getSkill(client, each.uri)).toEqual(each);
      }
      expect(await readSkillDirectory(client, 'mcp://two/skill://greet')).toMatchObject([{ uri: second }]);
      expect(await readSkillDirectory(client, 'skill://stay')).toMatchObject([{ name: 'stay' }]);
    },
  );

  test('reads a skill that it has not listed', async () => {
    const client = await gateway.stdio({ revision });
    const got = await getSkill(client, 'skill://stay/SKILL.md');
    expect(await readSkill(client, got)).toBe(skillText('stay', 'two'));
  });

  test('gets the error of the server for an unknown skill, and of the gateway for none', async () => {
    const client = await gateway.http({ revision });
    await expect(getSkill(client, 'skill://gone/SKILL.md')).rejects.toMatchObject({
      cause: { code: -32602 },
    });
    const one = await alone.http({ revision });
    await expect(getSkill(one, 'skill://gone/SKILL.md')).rejects.toThrow('No skill is served at');
    const plain = await without.http({ revision });
    await expect(plain.request('skills/list')).rejects.toMatchObject({ cause: { code: -32601 } });
  });
});

test.each(['2025-06-18', '2026-07-28'])(
  'a client of %s is notified of changes of a skill',
  async (revision) => {
    const client = await gateway.http({ revision });
    const { promise, resolve } = Promise.withResolvers<void>();
    await client.subscribe('skill://stay', resolve);
    writeFileSync(join(directory.root, 'two/stay', `${revision}.md`), 'new');
    await promise;
  },
);

test('the result says how long a client may keep it', async () => {
  const client = await gateway.http({ revision: '2026-07-28' });
  expect(await client.request('skills/list')).toMatchObject({
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
  });
});
