import { fchmodSync, lstatSync, readlinkSync, symlinkSync, unlinkSync, type Stats } from 'node:fs';
import { dirname, sep } from 'node:path';
import { codeOf, messageOf, quoted } from '@mcp/kit';
import { renameOnto } from '@mcp/kit/node';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { NotFound, OutsideDirectories, toPathError } from '../errors.ts';
import { copyWithAttributes } from '../keep/copy-with-attributes.ts';
import type { KeepDirectory } from '../keep/keep-directory.ts';
import { isThere, type KeptChange } from '../keep/kept-change.ts';
import type { KeptItem, KeptRecord } from '../keep/kept-record.ts';
import type { WriteContext } from '../replace/write-context.ts';
import { throughTemporary } from './into-new.ts';
import { TemporaryFile } from '../replace/temporary-files.ts';
import { moveEntry } from './move.ts';

export interface Restored {
  readonly items: readonly KeptItem[];
  /** The kept changes of the same paths that are newer, and so are undone, too; the newest first. */
  readonly newer: readonly KeptRecord[];
}

/** Restores each path of a kept change to its state before the change, then deletes what was kept. */
export async function restore(
  context: WriteContext,
  keep: KeepDirectory,
  id: string,
  kept: KeptChange | undefined,
): Promise<Restored> {
  const record = keep.find(id);
  if (!record)
    throw new NotFound(
      `Nothing is kept under ${quoted(id)}: it was restored, is older than ${keep.maxDays} days, or made room for newer changes`,
    );
  const items = record.items.filter(
    ({ name, was }) => was === 'absent' || was === 'mode' || isThere(keep.pathOf(id, name)),
  );
  if (items.length === 0)
    throw new NotFound(`The change ${quoted(id)} was never made; nothing is to be restored`);
  // Checks the directories of all paths first, so that nothing is restored if one of them is missing.
  for (const { path } of items) refuseUnreachable(context, path, items);
  const newer = keep
    .records()
    .filter((each) => each.time > record.time && each.items.some((item) => isUndoneBy(items, item)));
  const done: KeptItem[] = [];
  for (const item of items.toReversed()) {
    try {
      using entry = context.allowed.entryAt(item.path);
      await context.exclusively([entry], () =>
        restoreItem(context, entry, keep.pathOf(id, item.name), item, kept),
      );
      done.push(item);
    } catch (error) {
      if (done.length === 0) throw error;
      throw new Error(
        `${messageOf(error)}; before that, ${done.length} of ${items.length} paths were restored`,
        {
          cause: error,
        },
      );
    }
  }
  await keep.forget(id);
  return { items, newer };
}

/** Whether restoring the items undoes a newer change of another item. */
function isUndoneBy(items: readonly KeptItem[], { path, was }: KeptItem): boolean {
  return items.some(
    (item) =>
      (item.path === path && (item.was !== 'mode' || was === 'mode')) || path.startsWith(item.path + sep),
  );
}

/** Throws if the directory of a path is missing, unless the directory is one of the items to restore. */
function refuseUnreachable({ allowed }: WriteContext, path: string, items: readonly KeptItem[]): void {
  try {
    allowed.entryAt(path)[Symbol.dispose]();
  } catch (error) {
    const isRestored = items.some((item) => item.was === 'directory' && path.startsWith(item.path + sep));
    if (error instanceof OutsideDirectories || !isRestored)
      throw toPathError(error, dirname(path), 'directory');
  }
}

async function restoreItem(
  context: WriteContext,
  entry: EntryLocation,
  from: string,
  item: KeptItem,
  kept: KeptChange | undefined,
): Promise<void> {
  const { allowed } = context;
  const there = pathOf(entry);
  const now = lstatSync(there, { throwIfNoEntry: false });
  if (item.was === 'mode') return await restoreMode(context, entry, item, kept);
  if (now) allowed.refuseProtected(entry.path, entry.path);
  if (item.was === 'file' && now?.isFile()) {
    const [old] = (await kept?.keepFiles([{ file: entry, stats: now, copies: false }])) ?? [];
    try {
      await replaceBy(context, from, entry);
    } catch (error) {
      if (old) await kept?.giveUp([entry.path]);
      throw error;
    }
    return;
  }
  if (now) await takeAway(context, entry, now, kept);
  if (item.was === 'absent') return;
  if (!now) await kept?.noteAbsent(entry);
  try {
    await putBack(context, from, entry, item);
  } catch (error) {
    if (!now) await kept?.giveUp([entry.path]);
    throw codeOf(error) === 'EEXIST' ? new Error(`Already exists: ${quoted(entry.path)}`) : error;
  }
}

async function takeAway(
  { allowed }: WriteContext,
  entry: EntryLocation,
  now: Stats,
  kept: KeptChange | undefined,
): Promise<void> {
  if (kept) await kept.take(allowed, entry, now);
  else if (now.isDirectory())
    throw new Error(`A directory is there now; delete it first: ${quoted(entry.path)}`);
  else unlinkSync(pathOf(entry));
}

async function restoreMode(
  { allowed }: WriteContext,
  entry: EntryLocation,
  { mode = 0 }: KeptItem,
  kept: KeptChange | undefined,
): Promise<void> {
  using opened = allowed.openFileIn(entry.parent, entry.name);
  await kept?.noteMode(entry, opened.stats.mode & 0o7777);
  fchmodSync(opened.readable(), mode);
}

/**
 * Replaces a file by the file at `from`, which the kept directory stored before a change. That file is moved;
 * on another file system it is copied.
 */
async function replaceBy({ accessControl }: WriteContext, from: string, entry: EntryLocation): Promise<void> {
  try {
    await renameOnto(from, pathOf(entry));
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    using beside = new TemporaryFile(entry);
    try {
      await copyWithAttributes(from, beside.path, accessControl);
      await renameOnto(beside.path, pathOf(entry));
    } catch (failure) {
      if (isThere(beside.path)) unlinkSync(beside.path);
      throw failure;
    }
  }
}

/** Moves the entry at `from` out of the keep directory to a path at which nothing exists. */
async function putBack(
  { accessControl }: WriteContext,
  from: string,
  entry: EntryLocation,
  { was }: KeptItem,
): Promise<void> {
  if (was === 'absent' || was === 'mode') return;
  try {
    moveEntry(from, pathOf(entry), was);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    if (was === 'symlink') symlinkSync(readlinkSync(from, 'buffer'), pathOf(entry));
    else await throughTemporary(entry, (beside) => copyWithAttributes(from, beside, accessControl));
  }
}
