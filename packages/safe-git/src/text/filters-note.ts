import { shortList } from '../safe-text.ts';

/** A note: files look modified only because the configured filters do not run. */
export const filtersNote =
  'The filters of this repository, such as Git LFS, do not run, since it is not trusted: files that use a filter may look modified';

/** A note that names the files that git has written without running their filter. */
export function unfilteredNote(paths: readonly string[]): string {
  return `The filters of an untrusted repository do not run, so that these files are in the work tree as git stores them, such as a pointer of Git LFS: ${shortList(paths)}`;
}
