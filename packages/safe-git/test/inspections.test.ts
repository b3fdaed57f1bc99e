import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AllowedDirectories, commitHash, Repositories } from '../src/index.ts';

test('reads that run concurrently share an inspection, later ones inspect an included file again', async () => {
  const base = mkdtempSync(join(tmpdir(), 'safe-git-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, bin, list] = [join(base, 'repository'), join(base, 'bin'), join(base, 'started')];
  execFileSync('git', ['init', '--quiet', root]);
  execFileSync('git', ['-C', root, 'config', 'include.path', 'other']);
  mkdirSync(bin);
  const path = process.env['PATH']!;
  const script = `#!/bin/sh\nfor last; do :; done\necho "$last" >> '${list}'\nPATH='${path}' exec git "$@"\n`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  const environment = { ...process.env, PATH: `${bin}:${path}` };
  using repositories = new Repositories(new AllowedDirectories([root]), { environment });
  const repository = repositories.at(undefined);
  const inspections = () => readFileSync(list, 'utf8').match(/^--includes$/gm)?.length;
  const read = () => repository.run(commitHash('HEAD'));

  await Promise.all([read(), read(), read()]);
  expect(inspections()).toBe(1);
  await Promise.all([read(), read(), read()]);
  expect(inspections()).toBe(2);
  await read();
  expect(inspections()).toBe(3);
});

/** A repository whose git records its arguments, and the values that override settings. */
async function recorded() {
  const base = mkdtempSync(join(tmpdir(), 'safe-git-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, bin, home, list] = ['repository', 'bin', 'home', 'started'].map((name) =>
    join(base, name),
  ) as [string, string, string, string];
  for (const directory of [bin, home]) mkdirSync(directory);
  const path = process.env['PATH']!;
  const script = `#!/bin/sh\necho "start $*" >> '${list}'\nenv | grep ^GIT_CONFIG_ >> '${list}'\nPATH='${path}' exec git "$@"\n`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
  const environment = { PATH: path, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { env: environment, encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '--quiet', root], { env: environment });
  writeFileSync(join(root, 'modules'), '[submodule "late"]\n\tpath = late\n');
  git('add', 'modules');
  git('commit', '--quiet', '-m', 'first');
  git('pack-refs', '--all');
  const repositories = new Repositories(new AllowedDirectories([root]), {
    environment: { ...environment, PATH: `${bin}:${path}` },
  });
  onTestFinished(() => repositories[Symbol.dispose]());
  const repository = repositories.at(undefined);
  /** Writes an object, and returns what was started for it. */
  const write = async () => {
    writeFileSync(list, '');
    await repository.run({ kind: 'write', args: ['hash-object', '-w', 'modules'] });
    return readFileSync(list, 'utf8');
  };
  /** Writes until git is asked nothing else: its files have then been left alone for long enough. */
  const settle = async () => {
    await write();
    await vi.waitFor(async () => expect(commandsIn(await write())).toEqual(['hash-object']));
  };
  return { root, home, git, write, settle };
}

/** The git commands in a record, without the options before them. */
function commandsIn(record: string): string[] {
  return [...record.matchAll(/^start (?:-c \S+ )*(\S+)/gm)].map(([, name]) => name!);
}

test('a write starts one git process where nothing has changed', async () => {
  const { settle, write } = await recorded();
  await settle();
  expect(commandsIn(await write())).toEqual(['hash-object']);
});

type Recorded = Awaited<ReturnType<typeof recorded>>;

test.each<[what: string, change: (its: Recorded) => void, override: RegExp, later?: (its: Recorded) => void]>(
  [
    [
      'a program in the configuration',
      ({ git }) => git('config', 'filter.x.clean', 'p'),
      /=filter\.x\.clean$/m,
    ],
    [
      'a program in the configuration of a work tree',
      ({ git }) => {
        git('config', 'extensions.worktreeConfig', 'true');
        git('config', '--worktree', 'filter.x.clean', 'p');
      },
      /=filter\.x\.clean$/m,
    ],
    [
      'an included file',
      ({ root, git }) => {
        writeFileSync(join(root, '.git/included'), '[filter "x"]\n\tclean = p\n');
        git('config', 'include.path', 'included');
      },
      /=filter\.x\.clean$/m,
    ],
    [
      'a submodule in the work tree',
      ({ root }) => writeFileSync(join(root, '.gitmodules'), '[submodule "late"]\n\tpath = late\n'),
      /=submodule\.late\.ignore$/m,
    ],
    [
      'a submodule in the index',
      ({ git }) => {
        git('update-index', '--add', '--cacheinfo', `100644,${git('rev-parse', 'HEAD:modules')},.gitmodules`);
      },
      /=submodule\.late\.ignore$/m,
    ],
    ['a submodule in HEAD', commitSubmodule, /=submodule\.late\.ignore$/m],
    [
      'a submodule in the HEAD of another branch',
      branchWithSubmodule,
      /=submodule\.late\.ignore$/m,
      ({ git }) => git('symbolic-ref', 'HEAD', 'refs/heads/other'),
    ],
    [
      'a submodule in the HEAD of packed refs',
      (its) => {
        commitSubmodule(its);
        its.git('pack-refs', '--all');
      },
      /=submodule\.late\.ignore$/m,
    ],
    [
      'a submodule in the replacement of HEAD',
      branchWithSubmodule,
      /=submodule\.late\.ignore$/m,
      ({ git }) => git('replace', 'HEAD', 'other'),
    ],
    [
      'a name of the operator',
      ({ home }) => appendFileSync(join(home, '.gitconfig'), '\tname = Bea\n'),
      /=Bea$/m,
    ],
    [
      'a new file of the operator',
      ({ home }) => {
        mkdirSync(join(home, '.config/git'), { recursive: true });
        writeFileSync(join(home, '.config/git/config'), '[core]\n\tautocrlf = input\n');
      },
      /=core\.autocrlf$/m,
    ],
  ],
)('a write notices %s', async (_, change, override, later) => {
  const its = await recorded();
  // With two changes, only the second is to be noticed.
  if (later) change(its);
  await its.settle();
  (later ?? change)(its);
  expect(await its.write()).toMatch(override);
});

/** Commits a .gitmodules that neither the index nor the work tree has. */
function commitSubmodule({ root, git }: Recorded): void {
  const input = `100644 blob ${git('rev-parse', 'HEAD:modules')}\t.gitmodules\n`;
  const tree = execFileSync('git', ['-C', root, 'mktree'], { input, encoding: 'utf8' }).trim();
  git('update-ref', 'HEAD', git('commit-tree', '-m', 'submodule', '-p', 'HEAD', tree));
}

/** Creates a branch with such a commit, and packs all refs. */
function branchWithSubmodule(its: Recorded): void {
  const before = its.git('rev-parse', 'HEAD');
  commitSubmodule(its);
  its.git('branch', 'other');
  its.git('update-ref', 'HEAD', before);
  its.git('pack-refs', '--all');
}
