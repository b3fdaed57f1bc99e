import { closeSync, link, openSync, renameSync, unlink, unlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { codeOf } from '../errors.ts';

const fs = { link: promisify(link), unlink: promisify(unlink) };

/** What file systems without hard links say, and the kernel about files of somebody else. */
const refusals = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

/** Whether a file was refused a second name because there are none here. */
export function noSecondNames(error: unknown): boolean {
  return refusals.has(codeOf(error) ?? '');
}

/** Moves a file to where nothing is: renaming would replace what came meanwhile, giving a second name does not. */
export async function moveToNew(here: string, there: string): Promise<void> {
  try {
    await fs.link(here, there);
  } catch (error) {
    if (!noSecondNames(error)) throw error;
    return moveOnto(here, there);
  }
  await fs.unlink(here);
}

/** Moves a file where there are no second names: onto an empty file of our own, made where nothing was. */
export function moveOnto(here: string, there: string): void {
  closeSync(openSync(there, 'wx'));
  try {
    renameSync(here, there);
  } catch (error) {
    unlinkSync(there);
    throw error;
  }
}
