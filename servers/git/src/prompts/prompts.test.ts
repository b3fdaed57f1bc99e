import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

/** The texts of a prompt, with its attachments. */
async function texts(
  workspace: Workspace,
  name: string,
  args: Record<string, string> = {},
): Promise<string[]> {
  await using client = await workspace.connect();
  const { messages } = await client.getPrompt(name, args);
  return messages.map(({ content }) => {
    if (content.type === 'text') return content.text;
    if (content.type !== 'resource' || !('text' in content.resource)) return content.type;
    // Some clients refuse embedded text of another type.
    expect(content.resource.mimeType).toMatch(/^text\//);
    return content.resource.text;
  });
}

test('write_commit_message contains the staged diff and the subjects of the last commits', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'b\n');
  await workspace.git.add('--all');
  const [instruction, diff] = await texts(workspace, 'write_commit_message');
  expect(instruction).toContain('- first');
  expect(diff).toContain('-a\n+b');
});

test('review_changes, explain_commit and summarise_since contain their data', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.commit('second', { 'a.txt': 'b\n' });
  expect((await texts(workspace, 'review_changes', { target: 'HEAD~1' }))[1]).toContain('-a\n+b');
  expect((await texts(workspace, 'explain_commit', { revision: 'HEAD' }))[1]).toContain('    second');
  expect((await texts(workspace, 'summarise_since', { since: 'HEAD~1' }))[1]).toContain('Ada: second');
  await expect(texts(workspace, 'explain_commit', { revision: '--all' })).rejects.toThrow('Invalid revision');
});

test('resolve_conflict contains all sides of the file, and suggests the files in conflict', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'base\n' });
  await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
  await expect(workspace.git.merge(['other'])).rejects.toThrow();
  expect((await texts(workspace, 'resolve_conflict', { path: 'a.txt' })).slice(1)).toEqual([
    'This is the common ancestor:',
    'base\n',
    'This is ours:',
    'ours\n',
    'This is theirs:',
    'theirs\n',
  ]);
  await using client = await workspace.connect();
  const { values } = await client.complete({ prompt: 'resolve_conflict' }, { name: 'path', value: '' });
  expect(values).toEqual(['a.txt']);
});

test('every prompt suggests the repositories', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
  for (const { name } of await client.listPrompts()) {
    const suggest = async (value: string) =>
      (await client.complete({ prompt: name }, { name: 'repo_path', value })).values;
    expect(await suggest(''), name).toEqual([workspace.root]);
    expect(await suggest(workspace.root), name).toEqual([workspace.root]);
    expect(await suggest('/elsewhere'), name).toEqual([]);
  }
});

test('a prompt without data returns a sentence that names the reason', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const first = async (name: string, args: Record<string, string> = {}) =>
    (await texts(workspace, name, args)).join('\n');
  expect(await first('write_commit_message')).toBe('Nothing is staged: stage the changes to commit first.');
  expect(await first('review_changes')).toBe('There are no changes to review ("HEAD").');
  expect(await first('summarise_since', { since: 'HEAD' })).toBe('There are no commits since "HEAD".');
  expect(await first('resolve_conflict', { path: 'a.txt' })).toBe('The file is not in conflict: "a.txt".');
  expect(await first('explain_commit', { revision: 'nowhere' })).toBe('No such revision: "nowhere".');
});
