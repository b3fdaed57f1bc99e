import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRecorded, type RecordedGit } from './recorded-git.ts';
import { Workspace } from './workspace.ts';

const accepted = 'expected a branch, a tag, a hash or HEAD, optionally with ~2, ^1 or @{upstream}';

describe('before git starts', () => {
  let workspace: Workspace;
  let recorded: RecordedGit;
  let before: string;

  beforeAll(async () => {
    workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const head = await workspace.git.revparse('HEAD');
    writeFileSync(join(workspace.root, '.git/refs/heads/--output=y'), `${head}\n`);
    recorded = await connectRecorded(workspace);
    before = await workspace.state();
  });

  afterAll(async () => {
    using _ = workspace;
    await recorded.client.close();
    expect(await workspace.state()).toBe(before);
  });

  test.each([
    ['G1', 'git_diff', { target: '--output=/tmp/x' }],
    ['G2', 'git_log', { revision: '--output=/tmp/x' }],
    ['G3', 'git_show', { revision: '--output=/tmp/x' }],
    ['G4', 'git_checkout', { branch_name: '--orphan=x' }],
    ['G4', 'git_checkout', { branch_name: '-f' }],
    ['G4', 'git_checkout', { branch_name: '-' }],
    ['G4', 'git_checkout', { branch_name: '--pathspec-from-file=/etc/passwd' }],
    ['G8', 'git_branch', { contains: '--format=%(objectname)' }],
    ['G8', 'git_branch', { not_contains: '--sort=x' }],
    ['G10', 'git_blame', { path: 'a.txt', revision: '--contents=/etc/passwd' }],
    ['G11', 'git_show', { revision: '--output=y' }],
    ['G12', 'git_grep', { pattern: 'a', revision: '--open-files-in-pager=x' }],
    ['G15', 'git_show', { revision: 'HEAD^{/(a+)+$}' }],
    ['G15', 'git_show', { revision: ':/regex' }],
    ['G15', 'git_show', { revision: ':0:a.txt' }],
    ['G16', 'git_checkout', { branch_name: 'a..b' }],
    ['G16', 'git_show', { revision: '^a' }],
    ['G16', 'git_show', { revision: 'a b' }],
    ['G16', 'git_show', { revision: '' }],
    ['G16', 'git_show', { revision: '\0' }],
    ['G1', 'git_integrate', { action: 'merge', revision: '--exec=x' }],
    ['G1', 'git_reset', { mode: 'soft', revision: '--pathspec-from-file=x' }],
    ['G1', 'git_restore', { paths: ['a.txt'], source: '--staged' }],
    ['G1', 'git_create_branch', { branch_name: 'x', base_branch: '--force' }],
    ['G1', 'git_tag', { action: 'create', name: 'x', revision: '--delete' }],
    ['G1', 'git_read_file', { path: 'a.txt', revision: '--batch' }],
  ])('%s: %s refuses the revision in %j', async (_id, tool, args) => {
    const { client, started } = recorded;
    const text = await workspace.callText(client, tool, args);
    expect(text).toMatch(/^ERROR Invalid (revision|range): /);
    expect(text).toContain(accepted);
    expect(started()).toEqual([]);
  });

  test('git_show refuses a revision of 10,000 characters', async () => {
    const { client, started } = recorded;
    const text = await workspace.callText(client, 'git_show', { revision: 'x'.repeat(10_000) });
    expect(text).toMatch(/^ERROR Invalid revision: /);
    expect(started()).toEqual([]);
  });

  test.each([
    ['G7', 'git_create_branch', { branch_name: '-D' }],
    ['G7', 'git_create_branch', { branch_name: '-m' }],
    ['G7', 'git_create_branch', { branch_name: '--upload-pack=x' }],
    ['G7', 'git_delete_branch', { branch_name: '--all' }],
    ['G7', 'git_create_branch', { branch_name: 'a..b' }],
    ['G7', 'git_create_branch', { branch_name: 'a\nb' }],
    ['G7', 'git_create_branch', { branch_name: 'x.lock' }],
    ['G7', 'git_create_branch', { branch_name: 'HEAD' }],
    ['G7', 'git_tag', { action: 'create', name: '--file=/etc/passwd' }],
    ['G7', 'git_worktree', { action: 'add', path: 'tree', branch: '-x' }],
  ])('%s: %s refuses the name in %j', async (_id, tool, args) => {
    const { client, started } = recorded;
    expect(await workspace.callText(client, tool, args)).toMatch(
      /^ERROR Invalid (branch|tag) name: ".*"; expected a name that git check-ref-format accepts$/,
    );
    expect(started()).toEqual([]);
  });
});

describe('values that are options, patterns or paths in disguise', () => {
  test('git_add stages the file that is named -A', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    workspace.put('-A', 'dash\n');
    workspace.put('other.txt', 'other\n');
    await using client = await workspace.connect();
    expect(await workspace.callText(client, 'git_add', { files: ['-A'] })).toMatch(/^Staged 1 file/);
    expect(await workspace.output(['diff', '--cached', '--name-only'])).toBe('-A');
  });

  test('git_add treats options as file names', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect();
    for (const name of ['--pathspec-from-file=/etc/passwd', '--chmod=+x']) {
      expect(await workspace.callText(client, 'git_add', { files: [name] })).toBe(
        `ERROR No such file: "${name}"`,
      );
    }
  });

  test('git_log treats an author or a text to find as a pattern, not as an option', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect();
    expect(await workspace.callText(client, 'git_log', { author: '--all', grep: '-P' })).toBe('No commits');
    expect(await workspace.callText(client, 'git_log', { author: 'ADA' })).toContain('first');
    for (const start_timestamp of ['--output=x', 'whenever', "2 weeks ago'; x", '2026-01-01\n']) {
      expect(await workspace.callText(client, 'git_log', { start_timestamp })).toMatch(
        /^ERROR Invalid date: /,
      );
    }
  });

  test('git_blame refuses a path outside the work tree', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect();
    for (const path of ['/etc/passwd', '../../outside', '.git/config']) {
      expect(await workspace.callText(client, 'git_blame', { path })).toContain(
        'expected a path inside the repository',
      );
    }
    await expect(client.callTool('git_blame', { path: 'a.txt', start_line: '/x/' })).resolves.toMatchObject({
      isError: true,
    });
  });

  test('git_grep treats an option as a pattern', async () => {
    using workspace = await Workspace.create({ 'a.txt': '--open-files-in-pager=x\n-O\n' });
    await using client = await workspace.connect();
    expect(await workspace.callText(client, 'git_grep', { pattern: '--open-files-in-pager=x' })).toBe(
      'a.txt:1\t--open-files-in-pager=x\n1 match',
    );
    expect(await workspace.callText(client, 'git_grep', { pattern: '-O' })).toBe('a.txt:2\t-O\n1 match');
  });

  test('revision:path reads only files of the revision', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect();
    expect(await workspace.callText(client, 'git_show', { revision: 'HEAD:a.txt' })).toBe('a\n');
    for (const path of ['../../x', '/etc/passwd']) {
      expect(await workspace.callText(client, 'git_show', { revision: `HEAD:${path}` })).toContain(
        'ERROR Invalid path inside',
      );
      expect(await workspace.callText(client, 'git_read_file', { path })).toContain(
        'ERROR Invalid path inside',
      );
    }
  });

  test('ranges are accepted only by tools that take ranges', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await workspace.commit('second', { 'a.txt': 'b\n' });
    await workspace.commit('third', { 'a.txt': 'c\n' });
    await using client = await workspace.connect();
    expect(await workspace.callText(client, 'git_diff', { target: 'HEAD~1..HEAD' })).toContain('-b\n+c');
    expect(await workspace.callText(client, 'git_diff', { target: 'HEAD~2...HEAD' })).toContain('-a\n+c');
    const log = await workspace.callText(client, 'git_log', { revision: 'HEAD~1..' });
    expect(log).toMatch(/^.*\n1 commit$/);
    expect(await workspace.callText(client, 'git_diff', { target: '..' })).toContain('ERROR Invalid range');
  });

  test('git_add takes patterns in paths literally', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    workspace.put('b.txt', 'b\n');
    await using client = await workspace.connect();
    for (const path of [':(exclude)*', ':/', ':!x', ':(top)b.txt', ':(attr:filter)b.txt', '*']) {
      expect(await workspace.callText(client, 'git_add', { files: [path] }), path).toMatch(/^ERROR /);
    }
    expect(await workspace.output(['diff', '--cached', '--name-only'])).toBe('');
  });

  test('git_add refuses a path outside the work tree', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    writeFileSync(join(workspace.outside, 'secret.txt'), 'SECRET');
    symlinkSync(workspace.outside, join(workspace.root, 'out'));
    await using client = await workspace.connect();
    for (const path of ['../../outside/secret.txt', '/etc/passwd', '..', 'a/../../x', '']) {
      expect(await workspace.callText(client, 'git_add', { files: [path] }), path).toMatch(
        /^ERROR (Outside the repository|Invalid path): /,
      );
    }
    expect(await workspace.callText(client, 'git_add', { files: ['out/secret.txt'] })).toBe(
      'ERROR The path leads through a symbolic link: "out/secret.txt"',
    );
    expect(await workspace.output(['diff', '--cached', '--name-only'])).toBe('');
  });

  test('no tool touches a path in the git directory', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect();
    for (const path of [
      '.git/config',
      '.GIT/hooks/x',
      'git~1',
      '.g\u200cit/x',
      'sub/.git/config',
      '.git ',
      '.git::$INDEX',
    ]) {
      for (const [tool, args] of [
        ['git_add', { files: [path] }],
        ['git_restore', { paths: [path] }],
      ] as const) {
        expect(await workspace.callText(client, tool, args), path).toMatch(
          /^ERROR Inside the git directory: /,
        );
      }
    }
  });

  test('a commit message is stored exactly as given', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect();
    const messages = [
      '-F/etc/passwd',
      '--amend',
      '#only a comment',
      'subject\n\n# a heading\n\ntrailing spaces  \n\n\nKey: value',
      'literal \\n and \\t stay',
      'a lone \r return',
      'x'.repeat(1_000_000),
    ];
    for (const message of messages) {
      expect(await workspace.callText(client, 'git_commit', { message, allow_empty: true })).toMatch(
        /^Committed on main/,
      );
      const stored = await workspace.output(['cat-file', 'commit', 'HEAD']);
      expect(stored.slice(stored.indexOf('\n\n') + 2)).toBe(message);
    }
    expect(await workspace.output(['rev-list', '--count', 'HEAD'])).toBe(String(messages.length + 1));
    const before = await workspace.state();
    expect(await workspace.callText(client, 'git_commit', { message: ' \n', allow_empty: true })).toBe(
      'ERROR Invalid message: it is empty',
    );
    expect(await workspace.callText(client, 'git_commit', { message: 'a\0b', allow_empty: true })).toBe(
      'ERROR Invalid message: it contains a NUL',
    );
    expect(await workspace.state()).toBe(before);
  });

  test('an author cannot forge a header of the commit', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect();
    for (const author of ['x <y>\nparent 0', 'x <y> <z>', 'x\0 <y>', 'nobody', '<y>', '--all']) {
      const text = await workspace.callText(client, 'git_commit', {
        message: 'm',
        author,
        allow_empty: true,
      });
      expect(text, author).toMatch(/^ERROR Invalid author: .*; expected Name <email>$/);
    }
    await client.callTool('git_commit', { message: 'm', author: 'Eve <eve@example.com>', allow_empty: true });
    expect(await workspace.output(['log', '-1', '--format=%an %ae'])).toBe('Eve eve@example.com');
  });

  test('an invalid cursor is refused', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect();
    for (const [tool, args] of [
      ['git_status', { cursor: '-1' }],
      ['git_log', { cursor: '0.--output=x' }],
      ['git_diff_unstaged', { cursor: 'x' }],
      ['git_branch', { cursor: '1e3' }],
    ] as const) {
      expect(await workspace.callText(client, tool, args)).toMatch(/^ERROR Invalid cursor: /);
    }
  });
});

test.each([
  ['core.protectNTFS', 'git~1/x'],
  ['core.protectHFS', '.g\u200cit/x'],
])('a repository does not turn off %s', async (key, path) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addConfig(key, 'false');
  await workspace.git.checkoutLocalBranch('hostile');
  const blob = await workspace.git.revparse('HEAD:a.txt');
  await workspace.git.raw(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  await workspace.git.commit('hostile');
  await workspace.git.checkout('main');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_checkout', { branch_name: 'hostile' })).toMatch(
    /^ERROR Git refused: invalid path /,
  );
  expect(existsSync(join(workspace.root, path))).toBe(false);
});

test('arguments that are too long for a command line are refused with a clear error', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const files = Array.from(
    { length: 40_000 },
    (_, index) => `a directory with a long name/and a file ${index}.txt`,
  );
  const refused = 'ERROR Could not start git: the arguments are too long; pass fewer at once';
  expect(await workspace.callText(client, 'git_add', { files })).toBe(refused);
  expect(await workspace.callText(client, 'git_log', { grep: 'x'.repeat(200_000) })).toBe(refused);
  expect(await workspace.callText(client, 'git_log')).toContain('first');
});
