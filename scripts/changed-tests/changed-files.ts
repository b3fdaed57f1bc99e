import { execFileSync } from 'node:child_process';

export interface Changes {
  /** The commit that the work tree is compared with. */
  readonly base: string;
  /** Paths from the root of the repository, deleted files included. */
  readonly files: readonly string[];
}

/**
 * The files of the repository at `root` that were changed, committed or not, after the newest common commit
 * of `since` and the checked out branch. Throws if there is no such commit.
 */
export function changedFiles(root: string, since = 'origin/main'): Changes {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const base = git('merge-base', since, 'HEAD').trim();
  const paths = [
    // A moved file is listed under both names.
    git('diff', '-z', '--name-only', '--no-renames', base),
    git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
  const files = paths.flatMap((output) => output.split('\0')).filter((path) => path !== '');
  return { base, files: [...new Set(files)].toSorted() };
}
