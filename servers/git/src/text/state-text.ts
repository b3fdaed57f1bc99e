import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Integrated } from '../backend/actions/merge-and-rebase.ts';

/** How an operation that can stop at conflicts answers. */
export const stateOutput = z.object({
  outcome: z.string(),
  commit: z.string().optional(),
  branch: z.string().optional(),
  operation: z.string().optional(),
  conflicts: z.array(z.object({ path: z.string(), sides: z.string() })),
});

export function stateText({ outcome, commit, branch, operation, conflicts }: Integrated): string {
  const where = `${branch === undefined ? 'HEAD' : displayName(branch)} is at ${commit?.slice(0, 10) ?? 'no commit'}`;
  if (!operation) return outcome === 'nothing to do' ? `Nothing to do; ${where}` : `Done; ${where}`;
  return [
    `Stopped: the ${operation} is in progress; ${where}`,
    ...conflicts.map(({ path, sides }) => `${sides} ${displayName(path)}`),
    conflicts.length > 0
      ? 'Resolve and git_add these, then continue; or abort'
      : 'Nothing is in conflict: continue, skip or abort',
  ].join('\n');
}

export function stateFacts({ outcome, commit, branch, operation, conflicts }: Integrated) {
  return {
    outcome,
    ...(commit !== undefined && { commit }),
    ...(branch !== undefined && { branch }),
    ...(operation && { operation }),
    conflicts: [...conflicts],
  };
}
