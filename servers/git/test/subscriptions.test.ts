import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { connectProgram, connectTo, startProgram } from './program.ts';
import { Workspace } from './workspace.ts';

// They make many changes, and wait for the notification of each.
vi.setConfig({ testTimeout: 120_000 });

const aspects = ['head', 'log', 'status', 'branches', 'tags', 'diff/staged', 'diff/unstaged'] as const;
type Aspect = (typeof aspects)[number];

// One body for both ways to subscribe: git works in processes of its own, the server in another, over stdio.
test.concurrent.each(['2025-11-25', '2026-07-28'])(
  'every resource notifies exactly once per change of its content, at %s',
  async (revision) => {
    using workspace = await Workspace.create({
      'a.txt': 'a\n',
      'sub/b.txt': 'b\n',
      '.gitignore': 'ignored/\n*.log\n',
    });
    mkdirSync(join(workspace.root, 'ignored'));
    const server = startProgram(workspace, ['--repository', workspace.allowed, workspace.root]);
    await using client = await connectTo(server, { revision });

    const received = new Map<Aspect, number>();
    let onNotification = () => {};
    for (const aspect of aspects) {
      await client.subscribe(`git://repo/${aspect}`, () => {
        received.set(aspect, (received.get(aspect) ?? 0) + 1);
        onNotification();
      });
    }
    const expected = new Map<Aspect, number>();

    /** Does `work`, and waits for a notification of each aspect that it changes. */
    const step = async (what: string, work: () => unknown, ...changed: Aspect[]) => {
      for (const aspect of changed) expected.set(aspect, (expected.get(aspect) ?? 0) + 1);
      const arrived = new Promise<void>((resolve) => {
        onNotification = () => {
          if ([...expected].every(([aspect, count]) => (received.get(aspect) ?? 0) >= count)) resolve();
        };
      });
      await work();
      onNotification();
      await arrived;
      expect(Object.fromEntries(received), what).toEqual(Object.fromEntries(expected));
    };
    const git = (...args: string[]) => workspace.git.raw(args);
    /**
     * Runs a command that changes several files while the server is stopped, so that the server sees one
     * change, however slow the machine is.
     */
    const gitAtOnce = async (...args: string[]) => {
      server.child.kill('SIGSTOP');
      try {
        await vi.waitFor(() => expect(working(server.child.pid!)).toEqual([]), { timeout: 60_000 });
        await git(...args);
      } finally {
        server.child.kill('SIGCONT');
      }
    };

    /** Writes a file in one step; between truncation and writing, its content would change once more. */
    const replace = (path: string, content: string) => {
      const complete = join(workspace.base, 'complete');
      writeFileSync(complete, content);
      mkdirSync(dirname(join(workspace.root, path)), { recursive: true });
      renameSync(complete, join(workspace.root, path));
    };

    await step('edit', () => replace('a.txt', 'b\n'), 'status', 'diff/unstaged');
    await step('edit again', () => replace('a.txt', 'bb\n'), 'diff/unstaged');
    await step('stage', () => git('add', 'a.txt'), 'status', 'diff/staged', 'diff/unstaged');
    await step(
      'commit',
      () => git('commit', '-q', '-m', 'second'),
      'status',
      'head',
      'log',
      'branches',
      'diff/staged',
    );
    await step('commit --all', () => replace('sub/b.txt', 'c\n'), 'status', 'diff/unstaged');
    await step(
      'commit -a',
      () => git('commit', '-q', '-a', '-m', 'third'),
      'status',
      'head',
      'log',
      'branches',
      'diff/unstaged',
    );
    await step('branch', () => git('branch', 'topic'), 'branches');
    await step('nested branch', () => git('branch', 'feature/deep/one'), 'branches');
    await step('checkout', () => gitAtOnce('checkout', '-q', 'topic'), 'status', 'head', 'branches');
    await step(
      'commit on it',
      () => git('commit', '-q', '--allow-empty', '-m', 'on topic'),
      'status',
      'head',
      'log',
      'branches',
    );
    await step('back', () => gitAtOnce('checkout', '-q', 'main'), 'status', 'head', 'log', 'branches');
    await step(
      'merge',
      () => gitAtOnce('merge', '-q', '--no-ff', '--no-edit', 'topic'),
      'status',
      'head',
      'log',
      'branches',
    );
    await step(
      'reset',
      () => gitAtOnce('reset', '-q', '--hard', 'HEAD~1'),
      'status',
      'head',
      'log',
      'branches',
    );
    await step(
      'diverge',
      () => git('commit', '-q', '--allow-empty', '-m', 'on main'),
      'status',
      'head',
      'log',
      'branches',
    );
    await step('rebase', () => gitAtOnce('rebase', '-q', 'topic'), 'status', 'head', 'log', 'branches');
    await step('tag', () => git('tag', 'v1'), 'tags');
    await step('delete', () => git('branch', '-q', '-D', 'feature/deep/one'), 'branches');
    await step('a file in a new directory', () => replace('new/dir/c.txt', 'c\n'), 'status');
    await step('another in it', () => replace('new/dir/d.txt', 'd\n'), 'status');
    await step('stash', () => gitAtOnce('stash', '-u', '-q'), 'status');
    await step(
      'work tree',
      () => gitAtOnce('worktree', 'add', '-q', join(workspace.allowed, 'tree'), '-b', 'in-tree'),
      'branches',
    );
    const tree = join(workspace.allowed, 'tree');
    await step('commit in it', () => workspace.gitAt(tree).commit('there', ['--allow-empty']), 'branches');

    // None of these changes anything that any of the resources shows.
    await git('gc', '-q');
    await git('pack-refs', '--all');
    await git('status');
    utimesSync(join(workspace.root, 'a.txt'), new Date(), new Date());
    replace('ignored/x.txt', 'x');
    replace('noise.log', 'x');
    writeFileSync(join(workspace.root, '.git/description'), 'described');

    // In the index only, so that there is no checkDate between two changes.
    const blob = await workspace.git.revparse('HEAD:sub/b.txt');
    await step(
      'stage another content',
      () => git('update-index', '--cacheinfo', `100644,${blob},a.txt`),
      'status',
      'diff/staged',
      'diff/unstaged',
    );
    await step(
      'and after packing',
      () => git('commit', '-q', '-m', 'last'),
      'status',
      'head',
      'log',
      'branches',
      'diff/staged',
    );
    await step('a tag after packing', () => git('tag', 'v2'), 'tags');
    await step('an edit', () => replace('a.txt', 'end\n'), 'diff/unstaged');
  },
);

/** A process and those it has started, without those that have stopped or ended. */
function working(pid: number): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => {
    const [id, parent, state = '', command] = line.trim().split(/\s+/);
    // The shell that guards the git processes waits as long as the server lives.
    return [id, parent].includes(String(pid)) && !/^[TZ]/.test(state) && command !== '/bin/sh';
  });
}

test.concurrent.each(['2025-11-25', '2026-07-28'])(
  'a change in a linked work tree notifies, at %s',
  async (revision) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const tree = join(workspace.allowed, 'tree');
    await workspace.git.raw(['worktree', 'add', '-q', tree, '-b', 'in-tree']);
    await using client = await connectProgram(workspace, ['--repository', tree, workspace.allowed], {
      revision,
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    await client.subscribe('git://tree/head', resolve);
    await workspace.gitAt(tree).commit('there', ['--allow-empty']);
    await promise;
    const { contents } = await client.readResource('git://tree/head');
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
      branch: 'in-tree',
      commit: { message: 'there' },
    });
  },
);

test.concurrent.each(['2025-11-25', '2026-07-28'])(
  'the list of resources changes when a branch or a tag is created or deleted, at %s',
  async (revision) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await connectProgram(workspace, ['--repository', workspace.root], {
      revision,
    });
    let count = 0;
    let onNotification = () => {};
    await client.watchList('resources', () => {
      count++;
      onNotification();
    });
    const names = async () =>
      (await client.listResources()).map(({ uri }) => uri).filter((uri) => uri.includes('/commit/'));
    expect(await names()).toEqual(['git://repo/commit/main']);
    const next = () => new Promise<void>((resolve) => (onNotification = resolve));
    const changes = [
      ['branch', 'topic'],
      ['tag', 'v1'],
      ['branch', '-D', 'topic'],
    ];
    for (const args of changes) {
      const arrived = next();
      await workspace.git.raw(args);
      await arrived;
      // A commit moves a branch, and brings none.
      await workspace.git.commit('m', ['--allow-empty']);
    }
    expect(count).toBe(changes.length);
    expect(await names()).toEqual(['git://repo/commit/main', 'git://repo/commit/v1']);
  },
);

test.concurrent('a change of .git/info/exclude notifies the subscribers of the status', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('note.txt', 'x\n');
  // As git init leaves it; the creation of the directory would notify too.
  workspace.put('.git/info/exclude', '# none\n');
  await using client = await workspace.connect();
  const changed = new Promise<void>((resolve) => {
    void client
      .subscribe('git://repo/status', () => resolve())
      .then(() => {
        writeFileSync(join(workspace.root, '.git/info/exclude'), 'note.txt\n');
      });
  });
  await changed;
  expect(await workspace.callText(client, 'git_status')).not.toContain('note.txt');
});
