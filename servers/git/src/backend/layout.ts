import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from './commands/display-name.ts';
import type { Bound } from './bound.ts';

/** Where the parts of a repository are. */
export interface Layout {
  /** The work tree; of a bare repository, the repository itself. */
  readonly top: string;
  readonly gitDir: string;
  /** What its work trees share: the same as `gitDir` but in a linked one. */
  readonly commonDir: string;
  readonly bare: boolean;
  readonly hash: string;
}

/** How to ask git where a repository is. A bare one has no top, which git says by failing at the last. */
export const layoutArgs = [
  'rev-parse',
  '--path-format=absolute',
  '--is-bare-repository',
  '--absolute-git-dir',
  '--git-common-dir',
  '--show-object-format',
  '--show-toplevel',
];

export function parseLayout(output: Buffer): Layout | undefined {
  const lines = textOf(output).split('\n').slice(0, -1);
  const [bare, gitDir, commonDir, hash, top] = lines;
  // A path with a line break in it reads as one line too many.
  if (!gitDir || !commonDir || !hash || lines.length > 5) return undefined;
  if (bare === 'true') return { top: gitDir, gitDir, commonDir, bare: true, hash };
  return top ? { top, gitDir, commonDir, bare: false, hash } : undefined;
}

/** Parts of a git directory that must not be links to elsewhere. */
const parts = [
  'HEAD',
  'index',
  'config.worktree',
  'logs',
  'MERGE_MSG',
  'COMMIT_EDITMSG',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
];
const sharedParts = [
  'config',
  'packed-refs',
  'refs',
  'info',
  'logs',
  'reftable',
  'worktrees',
  'hooks',
  'shallow',
];

/** Refuses a repository of which any part lies outside the bound. */
export function admitLayout({ top, gitDir, commonDir }: Layout, bound: Bound): void {
  bound.admit(top, "The repository's work tree");
  bound.admit(gitDir, "The repository's git directory");
  bound.admit(commonDir, 'The git directory that this work tree belongs to');
  admitParts(gitDir, parts, bound);
  admitParts(commonDir, sharedParts, bound);
  bound.admitAlternates(join(commonDir, 'objects'));
}

/** Links among the parts are looked at before every command: git replaces some of those files at every turn. */
export function admitLinks({ gitDir, commonDir }: Layout, bound: Bound): void {
  admitParts(gitDir, parts, bound);
  admitParts(commonDir, sharedParts, bound);
}

function admitParts(directory: string, names: readonly string[], bound: Bound): void {
  for (const name of names) {
    const path = join(directory, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      bound.admit(path, `"${name}" of the repository`);
    }
  }
}

/** Differs whenever what decides about a repository may have: where its parts are, and what it is set to. */
export function fingerprint({ top, gitDir, commonDir }: Layout): string {
  return [
    top,
    join(top, '.git'),
    join(top, '.gitmodules'),
    gitDir,
    join(gitDir, 'commondir'),
    join(gitDir, 'gitdir'),
    join(gitDir, 'config.worktree'),
    join(commonDir, 'config'),
    join(commonDir, 'objects'),
    join(commonDir, 'objects', 'info', 'alternates'),
  ]
    .map(identity)
    .join(' ');
}

function identity(path: string, index: number): string {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (!stats) return '-';
  // Of a directory it matters which one it is, not what is in it.
  if (stats.isDirectory()) return `${stats.dev}:${stats.ino}:${stats.uid}`;
  const link = stats.isSymbolicLink() && statSync(path, { throwIfNoEntry: false, bigint: true });
  return `${index}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}${link ? `:${link.ino}:${link.size}:${link.ctimeNs}` : ''}`;
}
