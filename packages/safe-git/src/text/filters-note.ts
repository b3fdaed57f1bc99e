import { quoted } from '../safe-text.ts';

/** Shown if a file looks modified while filters are configured that do not run. */
export const filtersNote =
  'The filters of this repository, such as Git LFS, do not run: their files may look modified; --trust runs them';

const maxNamed = 5;

/** Names the files that git has written without their filter. */
export function unfilteredNote(paths: readonly string[]): string {
  const names = paths
    .slice(0, maxNamed)
    .map((path) => quoted(path))
    .join(', ');
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return `Filters do not run without --trust: ${names}${more} in the work tree as git stores it, such as a pointer of Git LFS`;
}
