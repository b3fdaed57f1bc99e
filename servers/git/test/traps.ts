import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from './workspace.ts';

/** A setting of a repository that makes git run a program. */
export interface Trap {
  readonly id: string;
  readonly what: string;
  readonly arm: (workspace: Workspace, program: string) => unknown;
  /** A command of plain git that falls into it, unless plain git does not either. */
  readonly springs?: readonly string[];
}

const filtered = async (workspace: Workspace) => {
  await workspace.commit('attributes', { '.gitattributes': '* filter=x\n' });
};
const differed = async (workspace: Workspace) => {
  await workspace.commit('attributes', { '.gitattributes': '* diff=x\n' });
};
const config = (key: string) => (workspace: Workspace, program: string) =>
  workspace.git.addConfig(key, program);

export const traps: readonly Trap[] = [
  { id: 'G40', what: 'core.fsmonitor', arm: config('core.fsmonitor'), springs: ['status'] },
  {
    id: 'G41',
    what: 'filter.x.clean',
    arm: async (workspace, program) => {
      await filtered(workspace);
      await workspace.git.addConfig('filter.x.clean', program);
    },
    springs: ['status'],
  },
  {
    id: 'G42',
    what: 'filter.x.process',
    arm: async (workspace, program) => {
      await filtered(workspace);
      await workspace.git.addConfig('filter.x.process', program);
    },
    springs: ['status'],
  },
  {
    id: 'G43',
    what: 'a filter in an included file, with attributes in .git/info',
    arm: async (workspace, program) => {
      writeFileSync(join(workspace.root, '.git/extra'), `[filter "x"]\n\tclean = ${program}\n`);
      await workspace.git.addConfig('include.path', 'extra');
      mkdirSync(join(workspace.root, '.git/info'), { recursive: true });
      writeFileSync(join(workspace.root, '.git/info/attributes'), '* filter=x\n');
    },
    springs: ['diff'],
  },
  {
    id: 'G43',
    what: 'a filter in a file that is included on one branch only',
    arm: async (workspace, program) => {
      await filtered(workspace);
      writeFileSync(
        join(workspace.root, '.git/extra'),
        `[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n`,
      );
      await workspace.git.addConfig('includeIf.onbranch:main.path', 'extra');
    },
    springs: ['status'],
  },
  {
    id: 'G44',
    what: 'a filter whose name has an equals sign, which -c cannot override',
    arm: async (workspace, program) => {
      await workspace.commit('attributes', { '.gitattributes': '* filter=a=b\n' });
      await workspace.git.addConfig('filter.a=b.clean', program);
    },
    springs: ['diff'],
  },
  {
    id: 'G45',
    what: 'filter.x.smudge',
    arm: async (workspace, program) => {
      await filtered(workspace);
      await workspace.git.addConfig('filter.x.smudge', program);
    },
    springs: ['checkout', 'HEAD~1', '--', 'a.txt'],
  },
  { id: 'G46', what: 'diff.external', arm: config('diff.external'), springs: ['diff'] },
  {
    id: 'G47',
    what: 'diff.x.command',
    arm: async (workspace, program) => {
      await differed(workspace);
      await workspace.git.addConfig('diff.x.command', program);
    },
    springs: ['diff'],
  },
  {
    id: 'G48 G49 G50',
    what: 'diff.x.textconv in diff, show and blame',
    arm: async (workspace, program) => {
      await differed(workspace);
      await workspace.git.addConfig('diff.x.textconv', program);
    },
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
    arm: async (workspace, program) => {
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
    springs: ['commit', '--allow-empty', '-m', 'x'],
  },
  {
    id: 'G54',
    what: 'the hooks of checkout, refs, merge, rebase and gc',
    arm: async (workspace) => {
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
    springs: ['branch', 'sprung'],
  },
  {
    id: 'G58',
    what: 'log.showSignature with gpg.program, on a signed commit',
    arm: async (workspace, program) => {
      await sign(workspace);
      await workspace.git.addConfig('gpg.program', program);
      await workspace.git.addConfig('log.showSignature', 'true');
    },
    springs: ['log'],
  },
  {
    id: 'G59',
    what: 'gpg.program and forced signing',
    arm: async (workspace, program) => {
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
    springs: ['tag', '-m', 'x', 'sprung'],
  },
  {
    id: 'G60',
    what: 'merge.x.driver',
    arm: async (workspace, program) => {
      await workspace.commit('attributes', { '.gitattributes': '* merge=x\n' });
      await workspace.git.addConfig('merge.x.driver', program);
    },
    springs: ['merge', 'other'],
  },
  {
    id: 'G62',
    what: 'editors, helpers, trailers, pagers and aliases',
    arm: async (workspace, program) => {
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
    springs: ['rebase', '-i', 'HEAD~1'],
  },
  {
    id: 'G62',
    what: 'a promisor remote for objects that are missing',
    arm: async (workspace, program) => {
      const silent = workspace.program('silent', { passOn: false });
      await workspace.git.addConfig('extensions.partialClone', 'evil');
      await workspace.git.addConfig('remote.evil.url', `ext::${silent}`);
      await workspace.git.addConfig('remote.evil.promisor', 'true');
      await workspace.git.addConfig('remote.evil.uploadpack', program);
      await workspace.git.addConfig('protocol.ext.allow', 'always');
      await workspace.git.addConfig('core.repositoryFormatVersion', '1');
    },
    springs: ['cat-file', '-p', '1234567890123456789012345678901234567890'],
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
