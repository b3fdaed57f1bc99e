import type { IntegrationResult } from '../actions/merge-and-rebase.ts';
import { escapeName, listedPath, shortList } from '../safe-text.ts';
import { countText } from './count-text.ts';

/** Describes the state of an operation that can stop at conflicts, and what to do next. */
export function stateText({
  outcome,
  commit,
  branch,
  operation,
  conflicts,
  isEmpty,
  ...moved
}: IntegrationResult): string {
  const where = `${branch === undefined ? 'HEAD' : escapeName(branch)} is at ${commit?.slice(0, 10) ?? 'no commit'}`;
  if (!operation && conflicts.length > 0) {
    return [
      `Stopped at ${countText(conflicts.length, 'conflict')}; ${where}`,
      ...conflictLines(conflicts),
      'Resolve and git_add these, then git_commit',
    ].join('\n');
  }
  const at = conflicts.length === 0 ? '' : `, with ${countText(conflicts.length, 'conflict')}`;
  // A revert of a commit that was already reverted stops, and leaves no operation in progress.
  if ((outcome === 'nothing to do' || (outcome === 'stopped' && conflicts.length === 0)) && !operation)
    return `Nothing to do; ${where}`;
  if (!operation) return `Done; ${where}${undoText(moved)}`;
  return [
    `Stopped: the ${operation} is in progress${at}; ${where}`,
    ...conflictLines(conflicts),
    conflicts.length > 0
      ? 'Resolve and git_add these, or take a side with git_restore; then continue; or abort'
      : nextStep(operation, isEmpty),
  ].join('\n');
}

/** The possible next steps if there are no conflicts. */
function nextStep(operation: IntegrationResult['operation'], isEmpty: boolean): string {
  if (operation === 'merge') return 'No conflicts: continue or abort';
  // Git does not continue a pick or a revert whose commit has no changes.
  if (operation !== 'rebase' && isEmpty) return 'No change is left of this commit: skip or abort';
  return 'No conflicts: continue, skip or abort';
}

function undoText({
  before,
  entangled = [],
  abandoned,
  alsoMoved = [],
}: Pick<IntegrationResult, 'before' | 'entangled' | 'abandoned' | 'alsoMoved'>): string {
  if (abandoned !== undefined)
    return `; the commits made until then end at ${abandoned.slice(0, 10)}, which git_create_branch with it as base_branch keeps`;
  if (before === undefined) return '';
  const was = before.slice(0, 10);
  if (entangled.length === 0) return `; git_reset keep to ${was} undoes it${alsoMovedText(alsoMoved)}`;
  return `; it was at ${was}, and no call undoes it exactly: it changed files with local changes: ${shortList(entangled, 5, listedPath)}`;
}

function alsoMovedText(branches: NonNullable<IntegrationResult['alsoMoved']>): string {
  if (branches.length === 0) return '';
  const named = branches.map(({ name, hash }) => `${escapeName(name)} from ${hash.slice(0, 10)}`).join(', ');
  return `; rebase.updateRefs has moved ${named}: git_create_branch with move and base_branch moves one back`;
}

const maxConflicts = 200;

function conflictLines(conflicts: IntegrationResult['conflicts']): string[] {
  const lines = conflicts.slice(0, maxConflicts).map(({ path, sides }) => `${sides} ${listedPath(path)}`);
  return conflicts.length > maxConflicts ? [...lines, '… git_status lists all'] : lines;
}
