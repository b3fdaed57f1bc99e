import { getSkill, listSkills, readSkill } from '@mcp/skills';
import { skillCalls } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const uri = 'skill://trace-a-change/SKILL.md';
const file = new URL('../skills/trace-a-change/SKILL.md', import.meta.url);

const net = (limit: string) =>
  `function retry(send) {\n${limit}\n  for (let n = 0; n < maxAttempts; n++) if (send()) return true;\n  return false;\n}\nmodule.exports = { retry };\n`;

/** A repository in which a line was introduced, moved to another file, and formatted. */
async function history(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'lib/net.js': net('  const maxAttempts = backoff(Infinity);') });
  await workspace.commit(
    'Stop after five attempts\n\nThe gateway blocks a client after six failures in a minute.',
    {
      'lib/net.js': net('  const maxAttempts = 5'),
    },
  );
  await workspace.git.addTag('v1.0');
  await workspace.git.raw(['mv', 'lib', 'src']);
  await workspace.commit('Move the sources');
  await workspace.commit('Format with semicolons', { 'src/net.js': net('  const maxAttempts = 5;') });
  return workspace;
}

test('the server serves the skill, with the text of its file', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a' });
  await using client = await workspace.connect();
  const { skills, refused } = await listSkills(client);
  expect(refused).toEqual([]);
  expect(skills.map((each) => each.uri)).toEqual([uri]);
  expect(await readSkill(client, await getSkill(client, uri))).toContain('# Trace a change');
});

test('its calls, in their order, find the commit that explains the line', async () => {
  using workspace = await history();
  await using client = await workspace.connect({ readOnly: true });
  const answers: string[] = [];
  for (const { name, arguments: args } of skillCalls(file)) {
    const { content, isError } = await client.callTool(name, args);
    const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
    answers.push((isError ? 'ERROR ' : '') + text);
  }
  expect(answers.filter((answer) => answer.startsWith('ERROR'))).toEqual([]);
  // The last commit of the line only formats it.
  expect(answers[0]).toContain('Format with semicolons\n2\t  const maxAttempts = 5;');
  expect(answers[2]).toContain('-  const maxAttempts = 5\n+  const maxAttempts = 5;');
  expect(answers[3]).toContain('The gateway blocks a client after six failures in a minute.');
  expect(answers[3]).toContain('1 commit');
  expect(answers[4]).toContain('lib/net.js -> src/net.js');
  expect(answers[6]).toContain('const maxAttempts = 5\n');
  // The newest commit of the text that is gone is the one that removed it.
  expect(answers[8]).toMatch(/^\w+ \S+ Ada: Stop after five attempts\n/);
});
