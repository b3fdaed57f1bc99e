/**
 * Options that make the commits of `git log` and `git show` the same on every machine, in spite
 * of configuration. Of a date that git cannot parse, %aI prints itself, and %ad nothing.
 */
export const plainCommits = ['--date=iso-strict', '--no-show-signature', '--no-notes', '--encoding=UTF-8'];

/** Options that print these fields of each commit, which a NUL separates. */
export function commitFields(fields: readonly string[]): string[] {
  return ['-z', `--format=tformat:${fields.join('%x00')}`, ...plainCommits];
}
