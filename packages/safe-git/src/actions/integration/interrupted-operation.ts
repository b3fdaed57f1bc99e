import { join } from 'node:path';
import type { Integration } from '../../commands/work-tree/integrate.ts';
import { checkRefName } from '../../parse/validate-revision.ts';
import type { WriteRecord } from '../../process/write-record.ts';
import { readTip } from '../../queries/operation/head.ts';
import { isIncomplete, operationIn } from '../../queries/operation/in-progress-operation.ts';
import { readSmallFile } from '../../read-small-file.ts';
import type { Repository } from '../../repository.ts';
import type { Checkpoint } from './checkpoint.ts';
import { remains, undoIntegration } from './undo-integration.ts';

/** A merge, rebase, cherry-pick or revert that this server runs, or that was interrupted. */
export interface RecordedOperation {
  readonly kind: Integration;
  readonly revisions: readonly string[];
  readonly before: Checkpoint;
}

const kinds: readonly string[] = ['merge', 'rebase', 'cherry-pick', 'revert'] satisfies Integration[];

export function recorded({ kind, revisions, before }: RecordedOperation): unknown {
  return { kind, revisions, before: { ...before, changed: [...before.changed] } };
}

/**
 * Returns the operation in a `WriteRecord`, a file in the git directory. Another program may have written the
 * file, so the operation is checked; undefined if it is not valid.
 */
function operationOf({ operation }: WriteRecord): RecordedOperation | undefined {
  const { kind, revisions, before } = (operation ?? {}) as Partial<RecordedOperation>;
  const { branch, commit, changed, operationFiles } = (before ?? {}) as Partial<
    Record<keyof Checkpoint, unknown>
  >;
  const isHash = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
  if (kind === undefined || !kinds.includes(kind)) return undefined;
  if (!isStrings(revisions) || !isStrings(changed) || !isStrings(operationFiles)) return undefined;
  if (!revisions.every(isHash) || (commit !== undefined && !isHash(commit))) return undefined;
  if (branch !== undefined && (typeof branch !== 'string' || !isRefName(branch))) return undefined;
  const checked = { branch, commit: commit as string | undefined, changed: new Set(changed), operationFiles };
  return { kind, revisions, before: checked };
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isRefName(name: string): boolean {
  try {
    return checkRefName(name) === name;
  } catch {
    return false;
  }
}

/** Whether the repository is unchanged since the interruption, so that the operation can be undone. */
async function isPending(repository: Repository, { kind, before }: RecordedOperation): Promise<boolean> {
  const layout = await repository.layout();
  const current = operationIn(layout);
  // A series of reverts whose list of steps is missing looks to `operationIn` like a cherry-pick.
  const isPick = current === 'cherry-pick' && kind === 'revert' && isIncomplete(layout);
  if (current !== undefined && current !== kind && !isPick) return false;
  const { branch, commit } = await readTip(repository);
  if (branch === before.branch && commit === before.commit) return true;
  if (current === undefined) return false;
  // HEAD has moved, but the operation may have moved it: git writes the commit at which an operation started
  // to one of these files.
  const starts = ['rebase-merge/orig-head', 'rebase-apply/orig-head', 'sequencer/head'].map((name) =>
    readSmallFile(join(layout.gitDir, name))?.toString('latin1').trim(),
  );
  return starts.some((start) => start !== undefined && start === before.commit);
}

/**
 * Describes an interrupted operation that has left changes, and how to undo it; undefined if there is none.
 */
export async function describeInterruption(repository: Repository): Promise<string | undefined> {
  for (const record of await repository.abandonedRecords()) {
    const operation = operationOf(record);
    const left = operation ? await remains(repository, operation.before) : '';
    if (operation && left !== '') {
      const text = `Interrupted: a ${operation.kind}; ${left}`;
      if (!record.over && (await isPending(repository, operation)))
        return `${text}; aborting it undoes what git has done`;
      // Nothing is left to undo any more, so the interruption is reported only once.
      await repository.forget(record);
      return text;
    }
    await repository.forget(record);
  }
  return undefined;
}

/** Undoes an interrupted operation. Returns whether there was one. The caller must hold the lock. */
export async function undoInterrupted(repository: Repository): Promise<boolean> {
  for (const record of await repository.abandonedRecords()) {
    const operation = operationOf(record);
    if (!operation || !(await isPending(repository, operation))) continue;
    await repository.assertNoOtherGit();
    const left = await undoIntegration(repository, operation.kind, operation.revisions, operation.before);
    await repository.forgetLocked(record);
    if (left !== '') throw new Error(left);
    return true;
  }
  return false;
}
