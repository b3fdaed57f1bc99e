import type { IntegrationResult } from '../actions/integration/merge-and-rebase.ts';
import { escapeName, listedPath } from '../safe-text.ts';
import { commitLine } from './commit-text.ts';
import { countText } from './count-text.ts';

/** Describes the state of an operation that can stop at conflicts, and what to do next. */
export function stateText({
  outcome,
  commit,
  branch,
  operation,
  conflicts,
  isEmpty,
  stoppedAt,
}: IntegrationResult): string {
  const where = `${branch === undefined ? 'HEAD' : escapeName(branch)} is at ${commit?.slice(0, 10) ?? 'no commit'}`;
  if (!operation && conflicts.length > 0) {
    return [
      `Stopped at ${countText(conflicts.length, 'conflict')}; ${where}`,
      ...conflictLines(conflicts),
      'Resolve and stage these, then commit',
    ].join('\n');
  }
  const at = conflicts.length === 0 ? '' : `, with ${countText(conflicts.length, 'conflict')}`;
  // A revert without any change stops, but leaves no operation in progress: there is nothing to continue.
  if ((outcome === 'nothing to do' || (outcome === 'stopped' && conflicts.length === 0)) && !operation)
    return `Nothing to do; ${where}`;
  if (!operation) return `Done; ${where}`;
  return [
    `Stopped: the ${operation} is in progress${at}; ${where}`,
    ...(stoppedAt ? [`At ${commitLine(stoppedAt)}`] : []),
    ...conflictLines(conflicts),
    conflicts.length > 0
      ? `Resolve and stage these, or restore one side of them${sides[operation] ?? ''}; then continue; or abort`
      : nextStep(operation, isEmpty),
  ].join('\n');
}

/** Explains for each operation what the sides of a conflict are. */
const sides: { readonly [operation: string]: string } = {
  merge: ' (ours is this branch, theirs the merged one)',
  rebase: ' (ours is the new base with the commits rebased so far, theirs this commit)',
  'cherry-pick': ' (ours is this branch, theirs the picked commit)',
  revert: ' (ours is this branch, theirs the state before the reverted commit)',
};

/** The possible next steps if there are no conflicts. */
function nextStep(operation: IntegrationResult['operation'], isEmpty: boolean): string {
  if (operation === 'merge') return 'No conflicts: continue or abort';
  // Git refuses to continue a cherry-pick or revert if nothing is left to commit.
  if (operation !== 'rebase' && isEmpty) return 'No change is left of this commit: skip or abort';
  return 'No conflicts: continue, skip or abort';
}

const maxConflicts = 200;

function conflictLines(conflicts: IntegrationResult['conflicts']): string[] {
  const lines = conflicts.slice(0, maxConflicts).map(({ path, sides }) => `${sides} ${listedPath(path)}`);
  return conflicts.length > maxConflicts
    ? [...lines, `… ${conflicts.length} in total; the status lists all`]
    : lines;
}
