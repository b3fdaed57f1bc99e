import { isUtf8 } from 'node:buffer';
import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../display-name.ts';

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
  // Such a path would be looked at under another name than the one that git goes to.
  if (!isUtf8(output)) return undefined;
  const lines = textOf(output).split('\n').slice(0, -1);
  const [bare, gitDir, commonDir, hash, top] = lines;
  // A path with a line break in it reads as one line too many.
  if (!gitDir || !commonDir || !hash || lines.length > 5) return undefined;
  if (bare === 'true') return { top: gitDir, gitDir, commonDir, bare: true, hash };
  return top ? { top, gitDir, commonDir, bare: false, hash } : undefined;
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
