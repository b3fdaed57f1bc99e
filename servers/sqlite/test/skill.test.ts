import { getSkill, listSkills, readSkill } from '@mcp/skills';
import { skillCalls } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const uri = 'skill://migrate-a-table/SKILL.md';
const file = new URL('../skills/migrate-a-table/SKILL.md', import.meta.url);

const people = `
  CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age TEXT);
  CREATE INDEX people_by_name ON people(name);
  CREATE TABLE visits(id INTEGER PRIMARY KEY, person INTEGER REFERENCES people(id));
  INSERT INTO people(name, age) VALUES
    ('Ada Lovelace', '36'), ('Grace Brewster Hopper', '85'), ('Plato', 'unknown'), ('Alan Turing', NULL), ('Emmy Noether', '');
  INSERT INTO visits(person) VALUES (1), (2), (5);
`;

test('a server that may write serves the skill, with the text of its file', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  const { skills, refused } = await listSkills(client);
  expect(refused).toEqual([]);
  expect(skills.map((each) => each.uri)).toEqual([uri]);
  expect(await readSkill(client, await getSkill(client, uri))).toContain('# Migrate a table');
});

test('a server that only reads does not serve it', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(client.capabilities).not.toHaveProperty('extensions');
});

test('its calls, in their order, migrate the table', async () => {
  using workspace = new Workspace(people);
  await using client = await workspace.connect({ allowWrite: true });
  const answers: string[] = [];
  for (const { name, arguments: args } of skillCalls(file))
    answers.push(await workspace.say(client, name, args));
  expect(answers.filter((answer) => answer.startsWith('ERROR'))).toEqual([]);
  expect(answers[2]).toContain('| 3 | Plato | unknown | text |');
  expect(answers[2]).toContain('| 5 | Emmy Noether |');
  expect(await workspace.rows(client, 'SELECT first_name, last_name, age FROM people ORDER BY id')).toEqual([
    ['Ada', 'Lovelace', 36],
    ['Grace', 'Brewster Hopper', 85],
    [null, 'Plato', null],
    ['Alan', 'Turing', null],
    ['Emmy', 'Noether', null],
  ]);
  expect(answers.at(-2)).toContain('0 rows');
  expect(answers.at(-1)).toContain('people_by_last_name');
  const negative = await workspace.say(client, 'write', { sql: 'UPDATE people SET age = -1' });
  expect(negative).toContain('CHECK constraint failed');
});

test('as its text says, a dry run changes nothing, and a table with references cannot be dropped', async () => {
  using workspace = new Workspace(people);
  await using client = await workspace.connect({ allowWrite: true });
  const before = workspace.disk;
  const dryRun = skillCalls(file).find(({ arguments: args }) => args['dry_run'] === true);
  expect(await workspace.say(client, 'write', dryRun?.arguments)).not.toContain('ERROR');
  expect(workspace.disk).toBe(before);
  const drop = await workspace.say(client, 'write', { sql: 'DROP TABLE people' });
  expect(drop).toContain('FOREIGN KEY constraint failed');
});
