import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

// Section C of the corpus: a repository whose own configuration would run a program. `arm` sets the trap, and
// every tool that reads or writes walks into it. To be worth something, a trap has to work where it is trusted.

interface Trap {
  readonly id: string;
  readonly what: string;
  readonly arm: (workspace: Workspace, program: string) => void;
  /** A command of plain git that falls into it, unless plain git does not either. */
  readonly springs?: readonly string[];
}

const filtered = (workspace: Workspace) => {
  workspace.commit('attributes', { '.gitattributes': '* filter=x\n' });
};
const differed = (workspace: Workspace) => {
  workspace.commit('attributes', { '.gitattributes': '* diff=x\n' });
};
const config = (key: string, value?: string) => (workspace: Workspace, program: string) =>
  void workspace.git('config', key, value ?? program);

const traps: readonly Trap[] = [
  { id: 'G40', what: 'core.fsmonitor', arm: config('core.fsmonitor'), springs: ['status'] },
  {
    id: 'G41',
    what: 'filter.x.clean',
    arm: (workspace, program) => (filtered(workspace), config('filter.x.clean')(workspace, program)),
    springs: ['status'],
  },
  {
    id: 'G42',
    what: 'filter.x.process',
    arm: (workspace, program) => (filtered(workspace), config('filter.x.process')(workspace, program)),
    springs: ['status'],
  },
  {
    id: 'G43',
    what: 'a filter in an included file, with attributes in .git/info',
    arm: (workspace, program) => {
      writeFileSync(join(workspace.root, '.git/extra'), `[filter "x"]\n\tclean = ${program}\n`);
      workspace.git('config', 'include.path', 'extra');
      mkdirSync(join(workspace.root, '.git/info'), { recursive: true });
      writeFileSync(join(workspace.root, '.git/info/attributes'), '* filter=x\n');
    },
    springs: ['diff'],
  },
  {
    id: 'G43',
    what: 'a filter in a file that is included on one branch only',
    arm: (workspace, program) => {
      filtered(workspace);
      writeFileSync(
        join(workspace.root, '.git/extra'),
        `[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n`,
      );
      workspace.git('config', 'includeIf.onbranch:main.path', 'extra');
    },
    springs: ['status'],
  },
  {
    id: 'G44',
    what: 'a filter whose name has an equals sign, which -c cannot override',
    arm: (workspace, program) => {
      workspace.commit('attributes', { '.gitattributes': '* filter=a=b\n' });
      workspace.git('config', 'filter.a=b.clean', program);
    },
    springs: ['diff'],
  },
  {
    id: 'G45',
    what: 'filter.x.smudge',
    arm: (workspace, program) => (filtered(workspace), config('filter.x.smudge')(workspace, program)),
    springs: ['checkout', 'HEAD~1', '--', 'a.txt'],
  },
  { id: 'G46', what: 'diff.external', arm: config('diff.external'), springs: ['diff'] },
  {
    id: 'G47',
    what: 'diff.x.command',
    arm: (workspace, program) => (differed(workspace), config('diff.x.command')(workspace, program)),
    springs: ['diff'],
  },
  {
    id: 'G48 G49 G50',
    what: 'diff.x.textconv in diff, show and blame',
    arm: (workspace, program) => (differed(workspace), config('diff.x.textconv')(workspace, program)),
    springs: ['blame', 'a.txt'],
  },
  {
    id: 'G51',
    what: 'the hook post-index-change',
    arm: (workspace) => workspace.hook('post-index-change'),
    springs: ['add', 'a.txt'],
  },
  {
    id: 'G52',
    what: 'the hooks of a commit',
    arm: (workspace) => {
      for (const name of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit'])
        workspace.hook(name);
    },
    springs: ['commit', '--allow-empty', '-m', 'x'],
  },
  {
    id: 'G53',
    what: 'core.hooksPath',
    arm: (workspace, program) => {
      mkdirSync(join(workspace.root, 'hooks'));
      for (const name of [
        'pre-commit',
        'post-commit',
        'post-checkout',
        'reference-transaction',
        'post-merge',
      ]) {
        const path = join(workspace.root, 'hooks', name);
        writeFileSync(path, `#!/bin/sh\n${program} </dev/null\n`);
        chmodSync(path, 0o755);
      }
      workspace.git('config', 'core.hooksPath', 'hooks');
    },
    springs: ['commit', '--allow-empty', '-m', 'x'],
  },
  {
    id: 'G54',
    what: 'the hooks of checkout, refs, merge, rebase and gc',
    arm: (workspace) => {
      const names = [
        'post-checkout',
        'reference-transaction',
        'pre-auto-gc',
        'post-merge',
        'pre-merge-commit',
      ];
      for (const name of [...names, 'pre-rebase', 'post-rewrite', 'applypatch-msg']) workspace.hook(name);
      workspace.git('config', 'gc.auto', '1');
    },
    springs: ['branch', 'sprung'],
  },
  {
    id: 'G58',
    what: 'log.showSignature with gpg.program, on a signed commit',
    arm: (workspace, program) => {
      sign(workspace);
      workspace.git('config', 'gpg.program', program);
      workspace.git('config', 'log.showSignature', 'true');
    },
    springs: ['log'],
  },
  {
    id: 'G59',
    what: 'gpg.program and forced signing',
    arm: (workspace, program) => {
      for (const key of [
        'gpg.program',
        'gpg.ssh.program',
        'gpg.openpgp.program',
        'gpg.ssh.defaultKeyCommand',
      ]) {
        workspace.git('config', key, program);
      }
      workspace.git('config', 'commit.gpgSign', 'true');
      workspace.git('config', 'tag.gpgSign', 'true');
    },
    springs: ['tag', '-m', 'x', 'sprung'],
  },
  {
    id: 'G60',
    what: 'merge.x.driver',
    arm: (workspace, program) => {
      workspace.commit('attributes', { '.gitattributes': '* merge=x\n' });
      workspace.git('config', 'merge.x.driver', program);
    },
    springs: ['merge', 'other'],
  },
  {
    id: 'G62',
    what: 'editors, helpers, trailers, pagers and aliases',
    arm: (workspace, program) => {
      for (const key of [
        'core.askPass',
        'core.editor',
        'sequence.editor',
        'core.pager',
        'pager.log',
        'interactive.diffFilter',
      ]) {
        workspace.git('config', key, program);
      }
      for (const key of [
        'credential.helper',
        'trailer.x.cmd',
        'trailer.x.command',
        'alias.status',
        'alias.log',
      ]) {
        workspace.git('config', key, `!${program}`);
      }
      workspace.git('config', 'submodule.x.update', `!${program}`);
      workspace.git('config', 'hook.x.command', program);
      workspace.git('config', 'hook.x.event', 'pre-commit');
      workspace.git('config', 'uploadpack.packObjectsHook', program);
    },
    springs: ['rebase', '-i', 'HEAD~1'],
  },
  {
    id: 'G62',
    what: 'a promisor remote for objects that are missing',
    arm: (workspace, program) => {
      const silent = workspace.program('silent', { passOn: false });
      workspace.git('config', 'extensions.partialClone', 'evil');
      workspace.git('config', 'remote.evil.url', `ext::${silent}`);
      workspace.git('config', 'remote.evil.promisor', 'true');
      workspace.git('config', 'remote.evil.uploadpack', program);
      workspace.git('config', 'protocol.ext.allow', 'always');
      workspace.git('config', 'core.repositoryFormatVersion', '1');
    },
    springs: ['cat-file', '-p', '1234567890123456789012345678901234567890'],
  },
];

/** Makes the last commit one with a signature. */
function sign(workspace: Workspace): void {
  const key = join(workspace.base, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  workspace.git(
    '-c',
    'gpg.format=ssh',
    '-c',
    `user.signingKey=${key}`,
    'commit',
    '-q',
    '-S',
    '--allow-empty',
    '-m',
    'signed',
  );
  // The program named for OpenPGP is asked about a signature that says it is one.
  const commit = workspace
    .git('cat-file', 'commit', 'HEAD')
    .replace('BEGIN SSH SIGNATURE', 'BEGIN PGP SIGNATURE')
    .replace('END SSH SIGNATURE', 'END PGP SIGNATURE');
  writeFileSync(join(workspace.base, 'commit'), `${commit}\n`);
  const hash = workspace.git('hash-object', '-t', 'commit', '-w', join(workspace.base, 'commit'));
  workspace.git('update-ref', 'HEAD', hash);
}

/** A repository in which every tool has something to do. */
function prepared(): Workspace {
  const workspace = new Workspace({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
  workspace.commit('second', { 'a.txt': 'one\ntwo\n' });
  workspace.git('branch', 'other', 'HEAD~1');
  workspace.git('checkout', '-q', 'other');
  workspace.commit('on other', { 'a.txt': 'zero\none\n', 'c.txt': 'c\n' });
  workspace.git('checkout', '-q', 'main');
  return workspace;
}

/** What a model could do, one after the other; every answer is as good as any other, as long as nothing is run. */
const walk: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['git_status', {}],
  ['git_diff_unstaged', {}],
  ['git_diff_staged', {}],
  ['git_diff', { target: 'HEAD~1' }],
  ['git_log', {}],
  ['git_log', { path: 'a.txt', author: 'Ada', grep: 'second' }],
  ['git_show', { revision: 'HEAD' }],
  ['git_show', { revision: '1234567890123456789012345678901234567890' }],
  ['git_branch', { branch_type: 'all' }],
  ['git_branch', { branch_type: 'tags' }],
  ['git_blame', { path: 'a.txt' }],
  ['git_grep', { pattern: 'one' }],
  ['git_grep', { pattern: 'one', revision: 'HEAD' }],
  ['git_read_file', { path: 'a.txt' }],
  ['git_stash', { action: 'list' }],
  ['git_worktree', { action: 'list' }],
  ['git_add', { files: ['a.txt'] }],
  ['git_diff_staged', {}],
  ['git_reset', {}],
  ['git_stash', { action: 'save', message: 'aside' }],
  ['git_stash', { action: 'pop' }],
  ['git_add', { files: ['.'] }],
  ['git_commit', { message: 'mine', author: 'Eve <eve@example.com>' }],
  ['git_commit', { message: 'mine again', amend: true, allow_empty: true }],
  ['git_create_branch', { branch_name: 'topic' }],
  ['git_checkout', { branch_name: 'topic' }],
  ['git_integrate', { action: 'merge', revision: 'other' }],
  ['git_restore', { paths: ['a.txt'], source: 'HEAD' }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'cherry-pick', revision: 'other' }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'revert', revision: 'HEAD' }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'rebase', revision: 'other' }],
  ['git_add', { files: ['a.txt'] }],
  ['git_integrate', { action: 'continue' }],
  ['git_integrate', { action: 'abort' }],
  ['git_checkout', { branch_name: 'main' }],
  ['git_checkout', { branch_name: 'HEAD~1' }],
  ['git_restore', { paths: ['a.txt'], source: 'main' }],
  ['git_reset', { mode: 'hard' }],
  ['git_tag', { action: 'create', name: 'v1', message: 'one' }],
  ['git_tag', { action: 'delete', name: 'v1' }],
  ['git_worktree', { action: 'add', path: 'tree', branch: 'in-tree' }],
  ['git_worktree', { action: 'remove', path: 'tree', force: true }],
  ['git_delete_branch', { branch_name: 'topic', force: true }],
];

/** What has nothing to do or to find in some of the repositories. */
function mayFail(tool: string, { revision }: Record<string, unknown>): boolean {
  return tool === 'git_integrate' || tool === 'git_stash' || String(revision).startsWith('1234');
}

/** Makes every file look changed, so that git has to read it to know better. */
function age({ root }: Workspace): void {
  const then = new Date('2001-02-03T04:05:06Z');
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(root, entry.name), then, then);
  }
}

describe.each(traps)('$id $what', ({ arm, springs }) => {
  test('runs nothing, whatever is called', async () => {
    using workspace = prepared();
    arm(workspace, workspace.program());
    clear(workspace);
    workspace.put('a.txt', 'one\ntwo\nthree\n');
    age(workspace);
    await using client = await workspace.connect();
    for (const [tool, args] of walk) {
      const { isError, content } = await client.callTool(tool, args);
      expect(workspace.run, `${tool} ${JSON.stringify(args)}`).toEqual([]);
      if (!mayFail(tool, args)) expect(isError ? content : '', `${tool} ${JSON.stringify(args)}`).toBe('');
    }
  });

  test('is a trap: plain git falls into it', () => {
    if (!springs) return;
    using workspace = prepared();
    arm(workspace, workspace.program());
    clear(workspace);
    workspace.put('a.txt', 'one\ntwo\nthree\n');
    age(workspace);
    if (springs[0] === 'rebase' || springs[0] === 'merge') workspace.git('checkout', '-q', '-f', 'main');
    try {
      workspace.git(...springs);
    } catch {
      // It may well fail, having run the program.
    }
    expect(workspace.run).not.toEqual([]);
  });
});

/** Forgets what was run while the trap was set. */
function clear(workspace: Workspace): void {
  const { rmSync } = process.getBuiltinModule('node:fs');
  rmSync(workspace.marks, { recursive: true });
  mkdirSync(workspace.marks);
}

test('a filter under a name that is not UTF-8 is refused, since nothing could override it', async () => {
  using workspace = prepared();
  const program = workspace.program();
  writeFileSync(
    join(workspace.root, '.git/config'),
    Buffer.concat([
      Buffer.from(workspace.read('.git/config')),
      Buffer.from('[filter "'),
      Buffer.from([0xff]),
      Buffer.from(`"]\n\tclean = ${program}\n`),
    ]),
  );
  workspace.put(
    '.gitattributes',
    Buffer.concat([Buffer.from('* filter='), Buffer.from([0xff]), Buffer.from('\n')]),
  );
  workspace.put('a.txt', 'changed\n');
  clear(workspace);
  await using _client = (await workspace.connect().catch((error: Error) => {
    expect(error.message).toContain('a name that is not UTF-8');
    return undefined;
  })) as AsyncDisposable;
  expect(workspace.run).toEqual([]);
});

test('a trap of a linked work tree alone does not spring when it is removed', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n', '.gitattributes': '* filter=evil\n' });
  const path = join(workspace.allowed, 'tree');
  workspace.git('worktree', 'add', '-q', path, '-b', 'linked');
  workspace.git('config', 'extensions.worktreeConfig', 'true');
  workspace.gitIn(path, 'config', '--worktree', 'filter.evil.clean', workspace.program());
  // As long as it was, so that git reads it to know whether it has changed.
  writeFileSync(join(path, 'a.txt'), 'b\n');
  await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
  const remove = (args: object) =>
    workspace.say(client, 'git_worktree', { repo_path: workspace.root, action: 'remove', path, ...args });
  expect(await remove({})).toBe(
    'ERROR The work tree has changes that would be lost; force removes it all the same',
  );
  expect(await remove({ force: true })).not.toContain('linked');
  expect(existsSync(path)).toBe(false);
  expect(workspace.run).toEqual([]);
});

test('a trap that is set while the server runs is seen by the next call', async () => {
  using workspace = prepared();
  const program = workspace.program();
  workspace.put('.gitattributes', '* filter=late\n');
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_status')).toContain('On main');
  workspace.git('config', 'filter.late.clean', program);
  workspace.put('a.txt', 'changed\n');
  clear(workspace);
  for (const [tool, args] of walk) await client.callTool(tool, args);
  expect(workspace.run).toEqual([]);
});

test('a rebase that was left with a program among its steps does not go on', async () => {
  using workspace = prepared();
  const program = workspace.program();
  workspace.git('config', 'core.editor', 'true');
  try {
    workspace.git(
      '-c',
      `sequence.editor=sh -c 'printf "break\\nexec ${program}\\n" > "$1"' -`,
      'rebase',
      '-i',
      'HEAD~1',
    );
  } catch {
    // It stops at the break.
  }
  clear(workspace);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_integrate', { action: 'continue' })).toBe(
    'ERROR Refused: the remaining steps would run a program; --trust permits it',
  );
  expect(await workspace.say(client, 'git_integrate', { action: 'skip' })).toContain('Refused');
  expect(await workspace.say(client, 'git_integrate', { action: 'abort' })).toContain('Done');
  expect(workspace.run).toEqual([]);
});

test('the steps of a rebase hold nothing that the configuration puts there', async () => {
  const diverged = () => {
    const workspace = new Workspace({ 'a.txt': 'a\n' });
    workspace.git('checkout', '-qb', 'other');
    workspace.commit('theirs', { 'b.txt': 'b\n' });
    workspace.git('checkout', '-q', 'main');
    workspace.commit('ours', { 'c.txt': 'c\n' });
    const program = workspace.program('program', { passOn: false });
    workspace.git('config', 'rebase.instructionFormat', `%s%nexec '${program}'%n#`);
    return workspace;
  };
  using workspace = diverged();
  await using client = await workspace.connect();
  const args = { action: 'rebase', revision: 'other' };
  expect(await workspace.say(client, 'git_integrate', args)).toContain('Done');
  expect(workspace.git('log', '--format=%s')).toBe('ours\ntheirs\nfirst');
  expect(workspace.run).toEqual([]);
  using fallen = diverged();
  fallen.git('rebase', '-q', 'other');
  expect(fallen.run).toEqual(['program']);
});

test('a series of picks that was left with a strategy of another name does not go on', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.git('checkout', '-qb', 'other');
  const picks = [workspace.commit('one', { 'a.txt': 'b\n' }), workspace.commit('two', { 'b.txt': 'b\n' })];
  workspace.git('checkout', '-q', 'main');
  workspace.commit('three', { 'a.txt': 'c\n' });
  expect(() => workspace.git('cherry-pick', ...picks)).toThrow('could not apply');
  // A strategy that git does not have is looked for among the aliases.
  workspace.git('config', 'alias.merge-foo', `!'${workspace.program()}'`);
  const options = join(workspace.root, '.git/sequencer/opts');
  await using client = await workspace.connect();
  for (const text of [
    '[options]\n\tstrategy = foo\n',
    '[Options]STRATEGY="f"oo\n',
    '[options]\nstrategy = ort\nstrategy=f\\\noo',
  ]) {
    writeFileSync(options, text);
    for (const action of ['continue', 'skip']) {
      expect(await workspace.say(client, 'git_integrate', { action }), text).toBe(
        'ERROR Refused: the remaining steps use a strategy that is not built into git',
      );
    }
  }
  expect(workspace.run).toEqual([]);
  writeFileSync(options, '[options]\n\tstrategy = ort\n\tstrategy-option = patience\n');
  expect(await workspace.say(client, 'git_integrate', { action: 'skip' })).toContain('Done');
  expect(workspace.read('b.txt')).toBe('b\n');
});

test('what stands in the way of reading the steps that are left is told, and not waited for', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  mkdirSync(join(workspace.root, '.git/sequencer'));
  execFileSync('mkfifo', [join(workspace.root, '.git/sequencer/todo')]);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_integrate', { action: 'continue' })).toBe(
    'ERROR Not a regular file: "sequencer/todo" of the repository',
  );
});

/** The same call, on another branch than `other`. */
function swapped(args: Record<string, unknown>, branch: string): Record<string, unknown> {
  const swap = ([key, value]: [string, unknown]) => [
    key,
    value === 'other' || value === 'topic' ? branch : value,
  ];
  return Object.fromEntries(Object.entries(args).map((entry) => swap(entry)));
}

test('a submodule with a filter of its own is not looked into', async () => {
  using workspace = prepared();
  const program = workspace.program();
  const inner = join(workspace.allowed, 'inner');
  mkdirSync(inner);
  workspace.gitIn(inner, 'init', '-q');
  writeFileSync(join(inner, '.gitattributes'), '* filter=x\n');
  writeFileSync(join(inner, 'i.txt'), 'i\n');
  workspace.gitIn(inner, 'add', '-A');
  workspace.gitIn(inner, 'commit', '-q', '-m', 'inner');
  workspace.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub');
  // It asks to be looked into.
  workspace.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'none');
  workspace.commit('sub');
  // Another branch asks under another name, which is not there yet while the first is looked at.
  workspace.git('checkout', '-q', '-b', 'topic-2');
  workspace.put('.gitmodules', '[submodule "new"]\n\tpath = sub\n\turl = /nowhere\n\tignore = none\n');
  workspace.commit('renamed');
  workspace.git('checkout', '-q', 'main');
  workspace.gitIn(join(workspace.root, 'sub'), 'config', 'filter.x.clean', program);
  workspace.gitIn(join(workspace.root, 'sub'), 'config', 'core.fsmonitor', program);
  workspace.put('sub/i.txt', 'changed\n');
  clear(workspace);
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  const ran: string[] = [];
  const there = walk.map(([tool, args]) => [tool, swapped(args, 'topic-2')] as const);
  for (const [tool, args] of [...walk, ...there]) {
    await client.callTool(tool, { ...args, repo_path: workspace.root });
    if (workspace.run.length > 0) ran.push(`${tool} ${JSON.stringify(args)}`);
    clear(workspace);
  }
  expect(ran).toEqual([]);
});

test.each(['the work tree', 'the index', 'HEAD'])(
  'a submodule that %s says to look into is not',
  async (place) => {
    using workspace = prepared();
    const program = workspace.program();
    const inner = workspace.foreign('inner');
    workspace.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub');
    workspace.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'none');
    // Git reads the first of these that it finds.
    if (place === 'the work tree') workspace.git('reset', '-q', 'HEAD', '--', '.gitmodules');
    else workspace.commit('asks');
    if (place === 'HEAD') workspace.git('rm', '-q', '--cached', '.gitmodules');
    if (place !== 'the work tree') rmSync(join(workspace.root, '.gitmodules'), { force: true });
    writeFileSync(join(workspace.root, '.git/modules/sub/info/attributes'), '* filter=x\n');
    workspace.gitIn(join(workspace.root, 'sub'), 'config', 'filter.x.clean', program);
    workspace.gitIn(join(workspace.root, 'sub'), 'config', 'core.fsmonitor', program);
    workspace.put('sub/secret.txt', 'changed\n');
    clear(workspace);
    workspace.git('status');
    expect(workspace.run, 'plain git looks into it').not.toEqual([]);
    clear(workspace);
    await using client = await workspace.connect();
    for (const [tool, args] of [
      ['git_status', {}],
      ['git_diff_unstaged', {}],
      ['git_diff', { target: 'HEAD' }],
      ['git_commit', { message: 'm', allow_empty: true }],
      ['git_stash', { action: 'save' }],
      ['git_checkout', { branch_name: 'topic' }],
    ] as const) {
      await client.callTool(tool, args);
      expect(workspace.run, tool).toEqual([]);
    }
  },
);

/** A filter that the configuration has on the branch `evil` only. */
function filteredOnBranch(workspace: Workspace): void {
  const program = workspace.program();
  writeFileSync(
    join(workspace.root, '.git/extra'),
    `[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n`,
  );
  workspace.git('config', 'includeIf.onbranch:evil.path', 'extra');
}

test('a filter of another branch is not run for a work tree on that branch', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n', '.gitattributes': '* filter=x\n' });
  workspace.git('branch', 'other');
  filteredOnBranch(workspace);
  await using client = await workspace.connect();
  const said = await workspace.say(client, 'git_worktree', { action: 'add', path: 'tree', branch: 'evil' });
  expect(said).toMatch(/tree [0-9a-f]{10} evil$/);
  expect(workspace.read('tree/a.txt')).toBe('a\n');
  expect(workspace.run).toEqual([]);
  workspace.gitIn(join(workspace.root, 'tree'), 'checkout', '-q', 'HEAD', '--', 'a.txt');
  rmSync(join(workspace.root, 'tree/a.txt'));
  workspace.gitIn(join(workspace.root, 'tree'), 'checkout', '-q', '--', 'a.txt');
  expect(workspace.run, 'plain git runs it').toEqual(['program']);
});

test('changes that a rebase has set aside do not come back through a filter of the branch it returns to', async () => {
  const stopped = () => {
    const workspace = new Workspace({ 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitattributes': '* filter=x\n' });
    workspace.git('checkout', '-qb', 'evil');
    workspace.commit('ours', { 'a.txt': 'ours\n' });
    workspace.git('checkout', '-q', 'main');
    workspace.commit('theirs', { 'a.txt': 'theirs\n' });
    workspace.git('checkout', '-q', 'evil');
    workspace.put('b.txt', 'aside\n');
    expect(() => workspace.git('rebase', '--autostash', 'main')).toThrow('could not apply');
    filteredOnBranch(workspace);
    return workspace;
  };
  using workspace = stopped();
  await using client = await workspace.connect();
  for (const action of ['abort', 'skip', 'continue']) {
    expect(await workspace.say(client, 'git_integrate', { action })).toBe(
      'ERROR Refused: an autostash is to be applied, and the configuration depends on the branch; --trust permits it',
    );
  }
  expect(workspace.run).toEqual([]);
  workspace.git('rebase', '--abort');
  expect(workspace.run, 'plain git runs it').toEqual(['program']);
  using harmless = stopped();
  harmless.git('config', '--unset', 'includeIf.onbranch:evil.path');
  await using other = await harmless.connect();
  expect(await harmless.say(other, 'git_integrate', { action: 'abort' })).toContain('Done');
  expect(harmless.read('b.txt')).toBe('aside\n');
});

test('a pattern of the repository for the headings of hunks is not tried, since it could take all the memory', async () => {
  using workspace = new Workspace({
    '.gitattributes': '* diff=x\n',
    'a.txt': `top\n = mark\n${' \n'.repeat(9)}end\n`,
  });
  workspace.git('config', 'diff.x.xfuncname', '^ = mark');
  workspace.put('a.txt', `top\n = mark\n${' \n'.repeat(9)}END\n`);
  expect(workspace.git('diff')).toMatch(/@@  = mark$/m);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_diff_unstaged')).toMatch(/@@ top$/m);
});
