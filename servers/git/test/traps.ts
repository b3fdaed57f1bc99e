import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from './workspace.ts';

/**
 * Traps share a repository if none of them keeps git from running the program of another, as an empty
 * `process` does for the other programs of its filter.
 */
type Repository =
  | 'filters'
  | 'filter process'
  | 'hooks and settings'
  | 'drivers'
  | 'included filters'
  | 'odd name'
  | 'promisor';

/** A setting of a repository through which git runs a program. */
export interface Trap {
  readonly id: string;
  readonly what: string;
  readonly repository: Repository;
  readonly configure: (workspace: Workspace, program: string) => unknown;
  /** A command with which plain git runs the program. */
  readonly trigger: readonly string[];
}

/** Commits an attribute of all files. */
async function addAttribute(workspace: Workspace, attribute: string): Promise<void> {
  appendFileSync(join(workspace.root, '.gitattributes'), `* ${attribute}\n`);
  await workspace.commit('attributes');
}

const config = (key: string) => (workspace: Workspace, program: string) =>
  workspace.git.addConfig(key, program);

const attributeAndConfig =
  (attribute: string, key: string) => async (workspace: Workspace, program: string) => {
    await addAttribute(workspace, attribute);
    await workspace.git.addConfig(key, program);
  };

export const traps: readonly Trap[] = [
  {
    id: 'G40',
    what: 'core.fsmonitor',
    repository: 'hooks and settings',
    configure: config('core.fsmonitor'),
    trigger: ['status'],
  },
  {
    id: 'G41',
    what: 'filter.x.clean',
    repository: 'filters',
    configure: attributeAndConfig('filter=x', 'filter.x.clean'),
    trigger: ['status'],
  },
  {
    id: 'G42',
    what: 'filter.x.process',
    repository: 'filter process',
    configure: attributeAndConfig('filter=x', 'filter.x.process'),
    trigger: ['status'],
  },
  {
    id: 'G43',
    what: 'a filter in an included file, with attributes in .git/info',
    repository: 'included filters',
    configure: async (workspace, program) => {
      writeFileSync(join(workspace.root, '.git/extra'), `[filter "x"]\n\tclean = ${program}\n`);
      await workspace.git.addConfig('include.path', 'extra');
      mkdirSync(join(workspace.root, '.git/info'), { recursive: true });
      writeFileSync(join(workspace.root, '.git/info/attributes'), '* filter=x\n');
    },
    trigger: ['diff'],
  },
  {
    id: 'G43',
    what: 'a filter in a file that is included on one branch only',
    repository: 'included filters',
    configure: async (workspace, program) => {
      await addAttribute(workspace, 'filter=x');
      writeFileSync(join(workspace.root, '.git/extra-on-main'), `[filter "x"]\n\tsmudge = ${program}\n`);
      await workspace.git.addConfig('includeIf.onbranch:main.path', 'extra-on-main');
    },
    trigger: ['checkout', 'HEAD~1', '--', 'a.txt'],
  },
  {
    id: 'G44',
    what: 'a filter whose name has an equals sign, which -c cannot override',
    repository: 'odd name',
    configure: attributeAndConfig('filter=a=b', 'filter.a=b.clean'),
    trigger: ['diff'],
  },
  {
    id: 'G45',
    what: 'filter.x.smudge',
    repository: 'filters',
    configure: attributeAndConfig('filter=x', 'filter.x.smudge'),
    trigger: ['checkout', 'HEAD~1', '--', 'a.txt'],
  },
  {
    id: 'G46',
    what: 'diff.external',
    repository: 'drivers',
    configure: config('diff.external'),
    trigger: ['diff'],
  },
  {
    id: 'G47',
    what: 'diff.x.command',
    repository: 'drivers',
    configure: attributeAndConfig('diff=x', 'diff.x.command'),
    trigger: ['diff'],
  },
  {
    id: 'G48 G49 G50',
    what: 'diff.x.textconv in diff, show and blame',
    repository: 'drivers',
    configure: attributeAndConfig('diff=x', 'diff.x.textconv'),
    trigger: ['blame', 'a.txt'],
  },
  {
    id: 'G51',
    what: 'the hook post-index-change',
    repository: 'hooks and settings',
    configure: (workspace) => workspace.hook('post-index-change'),
    trigger: ['add', 'a.txt'],
  },
  {
    id: 'G52',
    what: 'the hooks of a commit',
    repository: 'hooks and settings',
    configure: (workspace) => {
      for (const name of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit'])
        workspace.hook(name);
    },
    trigger: ['commit', '--allow-empty', '-m', 'x'],
  },
  {
    id: 'G53',
    what: 'core.hooksPath',
    repository: 'drivers',
    configure: async (workspace, program) => {
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
      await workspace.git.addConfig('core.hooksPath', 'hooks');
    },
    trigger: ['commit', '--allow-empty', '-m', 'x'],
  },
  {
    id: 'G54',
    what: 'the hooks of checkout, refs, merge, rebase and gc',
    repository: 'hooks and settings',
    configure: async (workspace) => {
      const names = [
        'post-checkout',
        'reference-transaction',
        'pre-auto-gc',
        'post-merge',
        'pre-merge-commit',
      ];
      for (const name of [...names, 'pre-rebase', 'post-rewrite', 'applypatch-msg']) workspace.hook(name);
      await workspace.git.addConfig('gc.auto', '1');
    },
    trigger: ['branch', 'sprung'],
  },
  {
    id: 'G58',
    what: 'log.showSignature with gpg.program, on a signed commit',
    repository: 'hooks and settings',
    configure: async (workspace, program) => {
      await sign(workspace);
      await workspace.git.addConfig('gpg.program', program);
      await workspace.git.addConfig('log.showSignature', 'true');
    },
    trigger: ['log'],
  },
  {
    id: 'G59',
    what: 'gpg.program and forced signing',
    repository: 'hooks and settings',
    configure: async (workspace, program) => {
      for (const key of [
        'gpg.program',
        'gpg.ssh.program',
        'gpg.openpgp.program',
        'gpg.ssh.defaultKeyCommand',
      ]) {
        await workspace.git.addConfig(key, program);
      }
      await workspace.git.addConfig('commit.gpgSign', 'true');
      await workspace.git.addConfig('tag.gpgSign', 'true');
    },
    trigger: ['tag', '-m', 'x', 'sprung'],
  },
  {
    id: 'G60',
    what: 'merge.x.driver',
    repository: 'drivers',
    configure: attributeAndConfig('merge=x', 'merge.x.driver'),
    trigger: ['merge', 'other'],
  },
  {
    id: 'G62',
    what: 'editors, helpers, trailers, pagers and aliases',
    repository: 'hooks and settings',
    configure: async (workspace, program) => {
      for (const key of [
        'core.askPass',
        'core.editor',
        'sequence.editor',
        'core.pager',
        'pager.log',
        'interactive.diffFilter',
      ]) {
        await workspace.git.addConfig(key, program);
      }
      for (const key of [
        'credential.helper',
        'trailer.x.cmd',
        'trailer.x.command',
        'alias.status',
        'alias.log',
      ]) {
        await workspace.git.addConfig(key, `!${program}`);
      }
      await workspace.git.addConfig('submodule.x.update', `!${program}`);
      await workspace.git.addConfig('hook.x.command', program);
      await workspace.git.addConfig('hook.x.event', 'pre-commit');
      await workspace.git.addConfig('uploadpack.packObjectsHook', program);
    },
    trigger: ['rebase', '-i', 'HEAD~1'],
  },
  {
    id: 'G62',
    what: 'a promisor remote for objects that are missing',
    repository: 'promisor',
    configure: async (workspace, program) => {
      const silent = workspace.program('silent', { passOn: false });
      await workspace.git.addConfig('extensions.partialClone', 'evil');
      await workspace.git.addConfig('remote.evil.url', `ext::${silent}`);
      await workspace.git.addConfig('remote.evil.promisor', 'true');
      await workspace.git.addConfig('remote.evil.uploadpack', program);
      await workspace.git.addConfig('protocol.ext.allow', 'always');
      await workspace.git.addConfig('core.repositoryFormatVersion', '1');
    },
    trigger: ['cat-file', '-p', '1234567890123456789012345678901234567890'],
  },
];

/** Makes the last commit one with a signature. */
async function sign(workspace: Workspace): Promise<void> {
  const key = join(workspace.base, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  await workspace.git.raw([
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
  ]);
  // The program named for OpenPGP is asked about a signature that says it is one.
  const commit = (await workspace.output(['cat-file', 'commit', 'HEAD']))
    .replace('BEGIN SSH SIGNATURE', 'BEGIN PGP SIGNATURE')
    .replace('END SSH SIGNATURE', 'END PGP SIGNATURE');
  writeFileSync(join(workspace.base, 'commit'), `${commit}\n`);
  const hash = await workspace.output(['hash-object', '-t', 'commit', '-w', join(workspace.base, 'commit')]);
  await workspace.git.raw(['update-ref', 'HEAD', hash]);
}
