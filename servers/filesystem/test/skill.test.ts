import { getSkill, listSkills, readSkill } from '@mcp/skills';
import { skillCalls } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const uri = 'skill://refactor-carefully/SKILL.md';
const file = new URL('../skills/refactor-carefully/SKILL.md', import.meta.url);

const files = {
  'src/user.ts': `/** loadUser reads a user. */\nexport function loadUser(id: string) {\n  return { id };\n}\n`,
  'src/main.ts': `import { loadUser } from './user.ts';\n\nloadUser('a');\nloadUser('b');\nloadUserList();\n`,
  'src/list.ts': `export function loadUserList() {}\n`,
  'config.json': `{ "event": "load_user" }\n`,
};

test('the server serves the skill, with the text of its file', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const { skills, refused } = await listSkills(client);
  expect(refused).toEqual([]);
  expect(skills.map((each) => each.uri)).toEqual([uri]);
  expect(await readSkill(client, await getSkill(client, uri))).toContain('# Refactor carefully');
});

test('a server that changes nothing does not serve it', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ readOnly: true });
  expect(client.capabilities).not.toHaveProperty('extensions');
});

test('its calls, in their order, rename a function and move its file', async () => {
  using workspace = new Workspace(files);
  await using client = await workspace.connect();
  const answers: string[] = [];
  for (const { name, arguments: args } of skillCalls(file)) {
    // As the text says: the edit gets the hash of the dry run before it.
    const [, expectedHash] = /give expectedHash (\w+)/.exec(answers.at(-1) ?? '') ?? [];
    answers.push((await workspace.say(client, name, { ...args, expectedHash })).join('\n'));
  }
  expect(answers).toEqual([
    '3 src/main.ts\n2 src/user.ts\n5 lines in 2 files',
    'config.json\nsrc/list.ts\nsrc/main.ts\nsrc/user.ts\n4 files',
    expect.stringContaining('No match in 4 files'),
    expect.stringContaining('5 lines in 2 files'),
    expect.stringContaining('Would replace 5 occurrences in 2 files'),
    expect.stringContaining('Replaced 5 occurrences in 2 files'),
    expect.stringContaining('Moved src/user.ts to src/users.ts'),
    expect.stringContaining("import { fetchUser } from './user.ts';"),
    expect.stringContaining('Replaced 1 occurrence in 1 file'),
    expect.stringContaining('No match in 4 files'),
  ]);
  expect(workspace.read('src/main.ts')).toBe(
    `import { fetchUser } from './users.ts';\n\nfetchUser('a');\nfetchUser('b');\nloadUserList();\n`,
  );
  expect(workspace.read('config.json')).toBe(files['config.json']);
});

test('as its text says, a change since the dry run stops the edit', async () => {
  using workspace = new Workspace(files);
  await using client = await workspace.connect();
  const [dryRun, edit] = skillCalls(file).filter(({ name }) => name === 'edit_file');
  const seen = (await workspace.say(client, dryRun!.name, dryRun!.arguments)).join('\n');
  const [, expectedHash] = /give expectedHash (\w+)/.exec(seen) ?? [];
  workspace.put('src/list.ts', 'loadUser();\n');
  const [error] = await workspace.say(client, edit!.name, { ...edit!.arguments, expectedHash });
  expect(error).toBe('ERROR');
  expect(workspace.read('src/user.ts')).toBe(files['src/user.ts']);
});
