import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { change, cyanheads, git, repositoryOf, subjects, type Step } from './world.ts';

const first: Step = {
  message: 'Start',
  files: { 'a.txt': 'a\n', 'settings.json': '{ "port": 80 }\n', 'secrets.env': 'KEY=1\n' },
};
const next = (...messages: readonly string[]): Step[] =>
  messages.map((message) => ({ message, files: { [`${message}.txt`]: `${message}\n` } }));

const program = (greeting: string, debug: string) =>
  `${debug}function start() {\n  open();\n}\n\n${'// More\n'.repeat(10)}\nfunction greet() {\n  print("${greeting}");\n}\n`;

/** Tasks about commits and what goes into them. */
export const commitTasks: readonly Task[] = [
  {
    id: 'G12',
    instruction: 'Commit everything as "Update the settings"',
    world(world) {
      repositoryOf(world, [first]);
      change(world, { 'settings.json': '{ "port": 8080 }\n', 'new.txt': 'new\n' });
    },
    async ours(session) {
      await session.call('git_commit', { message: 'Update the settings', files: ['.'] });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_commit', { path, message: 'Update the settings', filesToStage: ['.'] });
      },
    },
    verify(world) {
      expect(subjects(world)[0]).toBe('Update the settings');
      expect(git(world, 'status', '--porcelain')).toBe('');
    },
  },
  {
    id: 'G13',
    instruction: 'Make one commit of my last three',
    world: (world) => repositoryOf(world, [first, ...next('One', 'Two', 'Three')]),
    async ours(session) {
      await session.call('git_commit', { message: 'Add the parser', squash: 'HEAD~3' });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_reset', { path, mode: 'soft', target: 'HEAD~3' });
        await session.call('git_commit', { path, message: 'Add the parser' });
      },
    },
    verify(world) {
      expect(subjects(world)).toEqual(['Add the parser', 'Start']);
      expect(git(world, 'diff', '--name-only', 'HEAD~1')).toBe('One.txt\nThree.txt\nTwo.txt');
    },
  },
  {
    id: 'G14',
    instruction: 'Correct the message of the commit before the last: it should say "Fix the parser"',
    world: (world) => repositoryOf(world, [first, ...next('Fix teh parser', 'Later')]),
    async ours(session) {
      await session.call('git_commit', { message: 'Fix the parser', reword: 'HEAD~1' });
    },
    peers: { [cyanheads]: 'cannot rebase interactively' },
    verify: (world) => expect(subjects(world)).toEqual(['Later', 'Fix the parser', 'Start']),
  },
  {
    id: 'G15',
    instruction: 'Undo my last commit, but keep its changes',
    world: (world) => repositoryOf(world, [first, ...next('Too early')]),
    async ours(session) {
      await session.call('git_reset', { mode: 'soft', revision: 'HEAD~1' });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_reset', { path, mode: 'soft', target: 'HEAD~1' });
      },
    },
    verify(world) {
      expect(subjects(world)).toEqual(['Start']);
      expect(git(world, 'status', '--porcelain')).toBe('A  "Too early.txt"');
    },
  },
  {
    id: 'G16',
    instruction: 'I forgot notes.txt: add it to the last commit',
    world(world) {
      repositoryOf(world, [first, ...next('Notes')]);
      change(world, { 'notes.txt': 'notes\n' });
    },
    async ours(session) {
      await session.call('git_commit', { amend: true, files: ['notes.txt'] });
    },
    peers: {
      async [cyanheads](session, path) {
        const amend = { message: 'Notes', filesToStage: ['notes.txt'], amend: true };
        await session.call('git_commit', { path, ...amend });
      },
    },
    verify(world) {
      expect(subjects(world)).toEqual(['Notes', 'Start']);
      expect(git(world, 'diff', '--name-only', 'HEAD~1')).toBe('Notes.txt\nnotes.txt');
    },
  },
  {
    id: 'G17',
    instruction: 'Throw away what I changed in settings.json',
    world(world) {
      repositoryOf(world, [first]);
      change(world, { 'settings.json': 'oops\n', 'a.txt': 'kept\n' });
    },
    async ours(session) {
      await session.call('git_restore', { paths: ['settings.json'] });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_checkout', { path, target: 'HEAD', paths: ['settings.json'] });
      },
    },
    verify: (world) => expect(git(world, 'status', '--porcelain')).toBe(' M a.txt'),
  },
  {
    id: 'G18',
    instruction: 'Do not commit secrets.env: unstage it',
    world(world) {
      repositoryOf(world, [first]);
      change(world, { 'secrets.env': 'KEY=2\n', 'a.txt': 'b\n' });
      git(world, 'add', '.');
    },
    async ours(session) {
      await session.call('git_restore', { paths: ['secrets.env'], staged: true });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_reset', { path, paths: ['secrets.env'] });
      },
    },
    verify: (world) => expect(git(world, 'diff', '--cached', '--name-only')).toBe('a.txt'),
  },
  {
    id: 'G19',
    instruction: 'Tag this as v2.0, with the note "Second release"',
    world: (world) => repositoryOf(world, [first]),
    async ours(session) {
      await session.call('git_tag', { action: 'create', name: 'v2.0', message: 'Second release' });
    },
    peers: {
      async [cyanheads](session, path) {
        const create = { mode: 'create', tagName: 'v2.0', message: 'Second release' };
        await session.call('git_tag', { path, ...create });
      },
    },
    verify: (world) => expect(git(world, 'cat-file', '-p', 'v2.0')).toMatch(/\n\nSecond release$/),
  },
  {
    id: 'G20',
    instruction: 'Bring back report.txt, which was deleted in the last commit',
    world(world) {
      repositoryOf(world, [first, { message: 'Report', files: { 'report.txt': 'report\n' } }]);
      git(world, 'rm', '--quiet', 'report.txt');
      git(world, 'commit', '--quiet', '-m', 'Clean up');
    },
    async ours(session) {
      await session.call('git_restore', { paths: ['report.txt'], source: 'HEAD~1' });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_checkout', { path, target: 'HEAD~1', paths: ['report.txt'] });
      },
    },
    verify: (world) => expect(readFileSync(join(world, 'report.txt'), 'utf8')).toBe('report\n'),
  },
  {
    id: 'G30',
    instruction: 'Commit only the change of the greeting, not the debug line',
    world(world) {
      repositoryOf(world, [{ message: 'Start', files: { 'main.ts': program('Hi', '') } }]);
      change(world, { 'main.ts': program('Hello', 'console.log("debug");\n') });
    },
    async ours(session) {
      const diff = await session.call('git_diff_unstaged');
      const [, index] = /^index (\S+)/m.exec(diff) ?? [];
      const hunk = /^@@ .* @@(?=[^@]*Hello)/m.exec(diff)?.[0];
      const message = 'Greet politely';
      await session.call('git_commit', { message, files: ['main.ts'], lines: [hunk], index });
    },
    peers: { [cyanheads]: 'stages only whole files' },
    verify(world) {
      expect(git(world, 'show', 'HEAD:main.ts')).toBe(program('Hello', '').trimEnd());
      expect(git(world, 'diff', '--numstat')).toBe('1\t0\tmain.ts');
    },
  },
  {
    id: 'G31',
    instruction: 'Stop tracking secrets.env, but keep the file',
    world: (world) => repositoryOf(world, [first]),
    async ours(session) {
      await session.call('git_add', { files: ['secrets.env'], untrack: true });
    },
    peers: { [cyanheads]: 'cannot remove a file from the index' },
    verify(world) {
      expect(git(world, 'ls-files')).toBe('a.txt\nsettings.json');
      expect(readFileSync(join(world, 'secrets.env'), 'utf8')).toBe('KEY=1\n');
    },
  },
  {
    id: 'G32',
    instruction: 'In settings.json theirs is right: take it, and finish the merge',
    world(world) {
      repositoryOf(world, [
        first,
        {
          branch: 'theirs',
          from: 'main',
          message: 'Theirs',
          files: { 'settings.json': '{ "port": 443 }\n' },
        },
        { message: 'Ours', files: { 'settings.json': '{ "port": 8080 }\n' } },
      ]);
      git(world, { fails: true }, 'merge', '--quiet', 'theirs');
    },
    async ours(session) {
      await session.call('git_restore', { paths: ['settings.json'], side: 'theirs' });
      await session.call('git_integrate', { action: 'continue' });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_checkout', { path, target: 'theirs', paths: ['settings.json'] });
        await session.call('git_commit', { path, message: "Merge branch 'theirs'" });
      },
    },
    verify(world) {
      expect(git(world, 'show', 'HEAD:settings.json')).toBe('{ "port": 443 }');
      expect(git(world, 'log', '-1', '--format=%s')).toBe("Merge branch 'theirs'");
    },
  },
];
