import { join } from 'node:path';
import type { CommandOutput } from '../command.ts';
import { findBlockingFile } from './find-blocking-file.ts';
import type { GitContext } from './git-context.ts';

/**
 * Overrides with which git inspects a repository: it accepts a bare one, and starts neither hooks nor the
 * repository's file system monitor, which reading the index would start.
 */
const options = ['safe.bareRepository=all', 'core.fsmonitor=false', 'core.hooksPath=/dev/null'].flatMap(
  (pair) => ['-c', pair],
);
const timeoutMs = 20_000;
const maxBytes = 16 * 1024 * 1024;

/** Runs git to find out where a repository is and how it is configured. No other command runs before this. */
export function inspect(
  { program, environments }: Pick<GitContext, 'program' | 'environments'>,
  args: readonly string[],
  cwd: string,
  input?: string,
): Promise<CommandOutput> {
  return program.run({
    args: [...options, ...args],
    cwd,
    input,
    env: environments.inspection,
    timeoutMs,
    maxBytes,
    findObstacle: (signal) =>
      findBlockingFile({ top: cwd, gitDirs: [join(cwd, '.git')], anyName: true, signal }),
  });
}
