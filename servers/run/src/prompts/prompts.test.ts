import { expect, test } from 'vitest';
import { callTool, sh, Workspace } from '../../test/workspace.ts';

test('prompts include the last result, and complete the names of commands', async () => {
  using workspace = new Workspace({ 'unit-tests': sh('echo "Error: x"; exit 1'), lint: sh(':') });
  await using client = await workspace.connect();
  const texts = async (name: string, command: string) =>
    (await client.getPrompt(name, { command })).messages.map(
      ({ content }) => (content as { text: string }).text,
    );
  expect(await texts('fix-failures', 'lint')).toEqual([expect.stringMatching(/^Run lint\. If it fails, /)]);
  await expect(texts('explain-result', 'unit-tests')).rejects.toThrow('unit-tests has not been run yet');
  const { text } = await callTool(client, 'unit-tests');
  expect((await texts('fix-failures', 'unit-tests'))[1]).toBe(`The last result:\n${text}`);
  expect((await texts('explain-result', 'unit-tests'))[1]).toBe(text);
  await expect(texts('fix-failures', 'lnit')).rejects.toThrow(
    'No such command: "lnit"; did you mean "lint"?',
  );
  const completed = await client.complete({ prompt: 'fix-failures' }, { name: 'command', value: 'u' });
  expect(completed.values).toEqual(['unit-tests']);
});
