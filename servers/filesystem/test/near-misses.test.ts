import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const files = {
  'src/components/Button.tsx': 'const button = 1;\n',
  'src/components/Card.tsx': '',
  'src/main.ts': '',
  'docs/guide.md': '',
  'built/app.js': '',
  '.gitignore': 'built\n',
};

async function openWorkspace() {
  const workspace = new Workspace(files);
  const client = await workspace.connect();
  return {
    workspace,
    say: async (tool: string, args: object) => (await workspace.say(client, tool, { ...args })).join('\n'),
  };
}

const more = '; set includeIgnored to find ignored paths too';

test.each([
  { pattern: '*.jsx', near: '; extensions there are .tsx, .md, .ts' },
  { pattern: 'scr/**/*.tsx', near: '; similar paths are "src"' },
  { pattern: 'scr/components/*.tsx', near: '; similar paths are "src"' },
  { pattern: 'src/componets/*.tsx', near: '; similar paths are "src/components"' },
  { pattern: 'button.tsx', near: '; similar paths are "src/components/Button.tsx"' },
  { pattern: 'src/*/button.tsx', near: '; similar paths are "src/components/Button.tsx"' },
  { pattern: 'xyz', near: '' },
])('search_files answers a glob without matches with the nearest: $pattern', async ({ pattern, near }) => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  expect(await say('search_files', { pattern })).toContain(`No match${near}`);
});

test('search_files names the matches that only the size, the time or the kind excludes', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  expect(await say('search_files', { pattern: '*.tsx', minSize: 1_000 })).toBe(
    `No match; 2 paths match the pattern, but not the sizes and times${more}`,
  );
  expect(await say('search_files', { pattern: '*.tsx', modifiedBefore: '2000-01-01', maxSize: 5 })).toMatch(
    /^No match; 2 paths match/,
  );
  expect(await say('delete_file', { glob: 'components' })).toBe(
    'ERROR\nNo match for "components" in "."; 1 path matches the pattern, but not the requested kind',
  );
});

test('every tool that takes a glob answers one without matches with the nearest', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const near = 'extensions there are .tsx, .md, .ts';
  for (const [tool, args] of [
    ['read_multiple_files', { glob: '*.jsx' }],
    ['edit_file', { glob: '*.jsx', edits: [{ oldText: 'a', newText: 'b' }] }],
  ] as const)
    expect(await say(tool, args), tool).toBe(
      `ERROR\nNo match for "*.jsx" in "."; ${near}; files that .gitignore excludes are not searched`,
    );
  for (const [tool, args] of [
    ['delete_file', { glob: '*.jsx' }],
    ['move_file', { glob: '*.jsx', destination: 'docs' }],
    ['copy_file', { glob: '*.jsx', destination: 'docs' }],
    ['copy_file', { glob: '*.jsx', destination: 'docs/all', join: true }],
  ] as const)
    expect(await say(tool, args), tool).toMatch(
      /^ERROR\nNo match for "\*\.jsx" in "\."; extensions there are \.tsx/,
    );
  expect(await say('search_text', { text: 'button', glob: '*.jsx' })).toContain(
    `No match in 0 files; ${near}`,
  );
  expect(await say('search_text', { text: 'Button', glob: '*.tsx' })).toBe(
    'No match in 2 files; set ignoreCase to ignore case; set includeIgnored to search ignored files too',
  );
});

test('the nearest paths to a glob come from inside only', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  writeFileSync(join(workspace.outside, 'secrets.md'), '');
  expect(await say('search_files', { pattern: 'out/secret.md' })).not.toContain('secrets');
  expect(await say('search_files', { pattern: 'secret.md' })).not.toContain('secrets');
});

test('the names of the nearest paths are escaped', async () => {
  using workspace = new Workspace({ 'but\nton.ts': '' });
  await using client = await workspace.connect();
  const [said] = await workspace.say(client, 'search_files', { pattern: 'button.ts' });
  expect(said).toContain('similar paths are "but\\nton.ts"');
});

test('an edit of several files that applies to none names the most similar lines', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const edits = [{ oldText: 'const buton = 1;', newText: 'x' }];
  expect(await say('edit_file', { glob: '*.tsx', edits })).toBe(
    'ERROR\nNothing was changed. oldText does not occur in any of 2 files: "const buton = 1;"; ' +
      'the most similar lines are:\n  src/components/Button.tsx line 1: const button = 1;',
  );
});

test('a missing directory of a destination is answered with the similar names', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const hint = 'similar names are "src"; create this directory first';
  expect(await say('write_file', { path: 'scr/new.ts', content: '' })).toBe(
    `ERROR\nNo such directory: "scr"; ${hint}`,
  );
  expect(await say('write_file', { path: 'scr/new/new.ts', content: '' })).toBe(
    `ERROR\nNo such directory: "scr/new"; ${hint}`,
  );
  expect(await say('move_file', { source: 'docs', destination: 'scr/docs' })).toBe(
    `ERROR\nNo such directory: "scr"; ${hint}`,
  );
  expect(await say('copy_file', { glob: '*.md', destination: 'scr' })).toBe(
    `ERROR\nNo such directory: "scr"; ${hint}`,
  );
});
