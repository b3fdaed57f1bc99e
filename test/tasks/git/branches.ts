import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { branches, change, cyanheads, git, repositoryOf, subjects, type Step } from './world.ts';

const first: Step = { message: 'Start', files: { 'a.txt': 'a\n', 'src/main.ts': 'main();\n' } };
const topic = (branch: string, names: readonly string[], from = 'main'): Step[] =>
  names.map((name, index) => ({
    branch,
    ...(index === 0 && { from }),
    message: name,
    files: { [`${name.replaceAll(' ', '-')}.txt`]: `${name}\n` },
  }));
const names = (count: number) => Array.from({ length: count }, (_, index) => `fix-${index + 1}`);

/** Tasks about branches. */
export const branchTasks: readonly Task[] = [
  {
    id: 'G01',
    instruction: 'Delete the branches that are already merged',
    world(world) {
      repositoryOf(world, [first, ...topic('open', ['Unfinished'])]);
      for (const name of names(8)) git(world, 'branch', name);
    },
    async ours(session) {
      await session.call('git_delete_branch', { merged: true });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_branch', { path, merged: true });
        for (const branchName of names(8))
          await session.call('git_branch', { path, mode: 'delete', branchName });
      },
    },
    verify: (world) => expect(branches(world)).toEqual(['main', 'open']),
  },
  {
    id: 'G02',
    instruction: 'Start a branch for the login page, and switch to it',
    world: (world) => repositoryOf(world, [first]),
    async ours(session) {
      await session.call('git_create_branch', { branch_name: 'login-page', checkout: true });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_checkout', { path, target: 'login-page', createBranch: true });
      },
    },
    verify: (world) => expect(git(world, 'symbolic-ref', '--short', 'HEAD')).toBe('login-page'),
  },
  {
    id: 'G03',
    instruction: 'Rename the branch fix to bugfix',
    world: (world) => repositoryOf(world, [first, ...topic('fix', ['Fix it'])]),
    async ours(session) {
      await session.call('git_create_branch', { branch_name: 'bugfix', rename: 'fix' });
    },
    peers: {
      async [cyanheads](session, path) {
        const rename = { mode: 'rename', branchName: 'fix', newBranchName: 'bugfix' };
        await session.call('git_branch', { path, ...rename });
      },
    },
    verify: (world) => expect(branches(world)).toEqual(['bugfix', 'main']),
  },
  {
    id: 'G04',
    instruction: 'Let the branch stable point to the release v1.1',
    world(world) {
      repositoryOf(world, [first, { message: 'Next', files: { 'a.txt': 'b\n' } }]);
      git(world, 'branch', 'stable', 'HEAD~1');
      git(world, 'tag', 'v1.1');
    },
    async ours(session) {
      await session.call('git_create_branch', { branch_name: 'stable', base_branch: 'v1.1', move: true });
    },
    peers: {
      async [cyanheads](session, path) {
        const create = { mode: 'create', branchName: 'stable', startPoint: 'v1.1', force: true };
        await session.call('git_branch', { path, ...create });
      },
    },
    verify: (world) => expect(git(world, 'rev-parse', 'stable')).toBe(git(world, 'rev-parse', 'v1.1')),
  },
  {
    id: 'G05',
    instruction: 'Which branches have work that is not in main yet?',
    world(world) {
      repositoryOf(world, [first, ...topic('search', ['Search']), ...topic('sort', ['Sort'])]);
      for (const name of names(6)) git(world, 'branch', name);
    },
    ours: (session) => session.call('git_branch', { not_merged: 'main' }),
    peers: { [cyanheads]: (session, path) => session.call('git_branch', { path, noMerged: 'main' }) },
    verify(_, answer) {
      expect(answer).toMatch(/search[^]*sort/);
      expect(answer).not.toContain('fix-');
    },
  },
  {
    id: 'G06',
    instruction: 'Bring the last two commits of feature to main, not the rest',
    world: (world) => repositoryOf(world, [first, ...topic('feature', ['One', 'Two', 'Three'])]),
    async ours(session) {
      await session.call('git_integrate', { action: 'cherry-pick', revision: 'feature~2..feature' });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_cherry_pick', { path, commits: ['feature~1', 'feature'] });
      },
    },
    verify: (world) => expect(subjects(world)).toEqual(['Three', 'Two', 'Start']),
  },
  {
    id: 'G07',
    instruction: 'The branch topic was started from old; base it on main',
    world(world) {
      const steps = [...topic('old', ['Old one', 'Old two']), ...topic('topic', ['Mine'], 'old')];
      repositoryOf(world, [first, ...steps, { message: 'Next', files: { 'a.txt': 'b\n' } }]);
      git(world, 'checkout', '--quiet', 'topic');
    },
    async ours(session) {
      await session.call('git_integrate', { action: 'rebase', revision: 'old', onto: 'main' });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_rebase', { path, upstream: 'old', onto: 'main' });
      },
    },
    verify: (world) => expect(subjects(world, 'topic')).toEqual(['Mine', 'Next', 'Start']),
  },
  {
    id: 'G08',
    instruction: 'My last two commits belong on a branch of their own, not on main',
    world: (world) => repositoryOf(world, [first, { message: 'One' }, { message: 'Two' }]),
    async ours(session) {
      await session.call('git_create_branch', { branch_name: 'own' });
      await session.call('git_reset', { mode: 'hard', revision: 'HEAD~2' });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_branch', { path, mode: 'create', branchName: 'own' });
        await session.call('git_reset', { path, mode: 'hard', target: 'HEAD~2', confirmed: true });
      },
    },
    verify: (world) =>
      expect([subjects(world), subjects(world, 'own')]).toEqual([['Start'], ['Two', 'One', 'Start']]),
  },
  {
    id: 'G09',
    instruction: 'Merge feature as a single commit',
    world: (world) => repositoryOf(world, [first, ...topic('feature', ['One', 'Two']), { message: 'Next' }]),
    async ours(session) {
      await session.call('git_integrate', { action: 'merge', revision: 'feature', squash: true });
      await session.call('git_commit', { message: 'Add the feature' });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_merge', { path, branch: 'feature', squash: true });
        await session.call('git_commit', { path, message: 'Add the feature' });
      },
    },
    verify(world) {
      expect(subjects(world)).toEqual(['Add the feature', 'Next', 'Start']);
      expect(git(world, 'diff', '--name-only', 'HEAD~1')).toBe('One.txt\nTwo.txt');
    },
  },
  {
    id: 'G10',
    instruction: 'Undo the merge of feature, and keep the history',
    world(world) {
      repositoryOf(world, [first, ...topic('feature', ['One'])]);
      git(world, 'merge', '--quiet', '--no-ff', '-m', 'Merge feature', 'feature');
    },
    async ours(session) {
      await session.call('git_integrate', { action: 'revert', revision: 'HEAD', mainline: 1 });
    },
    peers: { [cyanheads]: 'cannot revert' },
    verify(world) {
      expect(subjects(world)[0]).toBe('Revert "Merge feature"');
      expect(git(world, 'ls-files')).toBe('a.txt\nsrc/main.ts');
    },
  },
  {
    id: 'G11',
    instruction: 'Put my changes aside, the new files too',
    world(world) {
      repositoryOf(world, [first]);
      change(world, { 'a.txt': 'changed\n', 'new.txt': 'new\n' });
    },
    async ours(session) {
      await session.call('git_stash', { action: 'save', include_untracked: true });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_stash', { path, mode: 'push', includeUntracked: true });
      },
    },
    verify(world) {
      expect(git(world, 'status', '--porcelain')).toBe('');
      expect(git(world, 'stash', 'list')).not.toBe('');
    },
  },
  {
    id: 'G33',
    instruction: 'The repository has moved to https://git.example/new.git: use that address for origin',
    world(world) {
      repositoryOf(world, [first]);
      git(world, 'remote', 'add', 'origin', 'https://git.example/old.git');
    },
    async ours(session) {
      const url = 'https://git.example/new.git';
      await session.call('git_remote', { action: 'set-url', name: 'origin', url });
    },
    peers: {
      async [cyanheads](session, path) {
        const url = 'https://git.example/new.git';
        await session.call('git_remote', { path, mode: 'set-url', name: 'origin', url });
      },
    },
    verify: (world) => expect(git(world, 'remote', 'get-url', 'origin')).toBe('https://git.example/new.git'),
  },
  {
    id: 'G34',
    instruction: 'Bring "One" and "Three" of feature to main, but not "Two"',
    world: (world) => repositoryOf(world, [first, ...topic('feature', ['One', 'Two', 'Three'])]),
    async ours(session) {
      await session.call('git_integrate', { action: 'cherry-pick', revision: ['feature~2', 'feature'] });
    },
    peers: {
      async [cyanheads](session, path) {
        await session.call('git_cherry_pick', { path, commits: ['feature~2', 'feature'] });
      },
    },
    verify: (world) => expect(subjects(world)).toEqual(['Three', 'One', 'Start']),
  },
  {
    id: 'G35',
    instruction: 'main should no longer follow origin/main',
    world(world) {
      repositoryOf(world, [first]);
      git(world, 'remote', 'add', 'origin', 'https://git.example/x.git');
      git(world, 'update-ref', 'refs/remotes/origin/main', 'main');
      git(world, 'branch', '--quiet', '--set-upstream-to=origin/main', 'main');
    },
    async ours(session) {
      await session.call('git_create_branch', { branch_name: 'main', upstream: '' });
    },
    peers: { [cyanheads]: 'cannot remove an upstream' },
    verify: (world) => expect(git(world, 'for-each-ref', '--format=%(upstream)', 'refs/heads/main')).toBe(''),
  },
  {
    id: 'G36',
    instruction: 'I dropped the wrong stash: bring its changes back',
    world(world) {
      repositoryOf(world, [first]);
      change(world, { 'a.txt': 'changed\n' });
      git(world, 'stash', 'push', '--quiet');
    },
    async ours(session) {
      const dropped = await session.call('git_stash', { action: 'drop' });
      const [, commit] = /commit (\w+)/.exec(dropped) ?? [];
      await session.call('git_stash', { action: 'apply', commit });
    },
    peers: { [cyanheads]: 'does not name what it has dropped' },
    verify: (world) => expect(git(world, 'diff', '--numstat')).toBe('1\t1\ta.txt'),
  },
];
