import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from './workspace.ts';

/** A setting of a repository that makes git run a program. */
export interface Trap {
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

export const traps: readonly Trap[] = [
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
