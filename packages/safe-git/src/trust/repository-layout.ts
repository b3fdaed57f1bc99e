import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { textOf } from '../safe-text.ts';

export interface Layout {
  /** The top of the work tree. For a bare repository, this is its git directory. */
  readonly top: string;
  readonly gitDir: string;
  /** The git directory that all work trees share. In a linked work tree, it differs from `gitDir`. */
  readonly commonDir: string;
  readonly bare: boolean;
  /** The object format: `sha1` or `sha256`. */
  readonly hash: string;
}

/**
 * Arguments that print the layout of a repository. In a bare one, git prints every line but the last, the top
 * of the work tree, and exits with an error; the lines are valid nevertheless.
 */
export const layoutArgs = [
  'rev-parse',
  '--path-format=absolute',
  '--is-bare-repository',
  '--absolute-git-dir',
  '--git-common-dir',
  '--show-object-format',
  '--show-toplevel',
];

/** Parses the output of `layoutArgs`; undefined if a path is not UTF-8 or contains a line break. */
export function parseLayout(output: Buffer): Layout | undefined {
  // If bytes that are not UTF-8 were replaced, the path would name another directory.
  if (!isUtf8(output)) return undefined;
  const lines = textOf(output).split('\n').slice(0, -1);
  const [bare, gitDir, commonDir, hash, top] = lines;
  // A path that contains a line break gives more than five lines.
  if (!gitDir || !commonDir || !hash || lines.length > 5) return undefined;
  if (bare === 'true') return { top: gitDir, gitDir, commonDir, bare: true, hash };
  return top ? { top, gitDir, commonDir, bare: false, hash } : undefined;
}

/** The files and directories that decide where a repository is and how it is configured. */
export function decisiveFiles({ top, gitDir, commonDir }: Layout): string[] {
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
  ];
}
