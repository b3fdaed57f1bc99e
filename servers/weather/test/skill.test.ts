import { getSkill, listSkills, readSkill } from '@mcp/skills';
import { skillCalls } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { callForText, Workspace } from './workspace.ts';

const uri = 'skill://plan-a-trip/SKILL.md';
const file = new URL('../skills/plan-a-trip/SKILL.md', import.meta.url);

test('the server serves the skill, with the text of its file', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const { skills, refused } = await listSkills(client);
  expect(refused).toEqual([]);
  expect(skills.map((each) => each.uri)).toEqual([uri]);
  expect(await readSkill(client, await getSkill(client, uri))).toContain('# Plan a trip');
});

test('its calls answer with the sample data', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const answers: string[] = [];
  for (const { name, arguments: args } of skillCalls(file)) {
    const { text, isError } = await callForText(client, name, args);
    answers.push((isError ? 'ERROR ' : '') + text);
  }
  expect(answers.filter((answer) => /^ERROR|No place found/.test(answer))).toEqual([]);
  expect(answers[1]).toMatch(/^Berlin, .*^London, /ms);
  expect(answers[2]).toContain('hour, temperature °C, precipitation mm, wind km/h');
  expect(answers[3]).toContain('1 active alert');
  expect(answers[5]).toContain('7 days');
});
