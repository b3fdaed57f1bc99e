import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { IntegrationResult } from '../backend/actions/merge-and-rebase.ts';

/** The structured answer of an operation that can stop at conflicts. */
export const stateOutput = z.object({
  outcome: z.string(),
  commit: z.string().optional(),
  branch: z.string().optional(),
  operation: z.string().optional(),
  conflicts: z.array(z.object({ path: z.string(), sides: z.string() })),
});

export function stateText({ outcome, commit, branch, operation, conflicts }: IntegrationResult): string {
  const where = `${branch === undefined ? 'HEAD' : displayName(branch)} is at ${commit?.slice(0, 10) ?? 'no commit'}`;
  if (!operation && conflicts.length > 0) {
    const paths = conflicts.map(({ path, sides }) => `${sides} ${displayName(path)}`);
    return [`Stopped at conflicts; ${where}`, ...paths, 'Resolve and git_add these, then git_commit'].join(
      '\n',
    );
  }
  if (!operation) return outcome === 'nothing to do' ? `Nothing to do; ${where}` : `Done; ${where}`;
  return [
    `Stopped: the ${operation} is in progress; ${where}`,
    ...conflicts.map(({ path, sides }) => `${sides} ${displayName(path)}`),
    conflicts.length > 0
      ? 'Resolve and git_add these, or take a side with git_restore; then continue; or abort'
      : 'No conflicts: continue, skip or abort',
  ].join('\n');
}

export function stateFacts({ outcome, commit, branch, operation, conflicts }: IntegrationResult) {
  return {
    outcome,
    ...(commit !== undefined && { commit }),
    ...(branch !== undefined && { branch }),
    ...(operation && { operation }),
    conflicts: [...conflicts],
  };
}
