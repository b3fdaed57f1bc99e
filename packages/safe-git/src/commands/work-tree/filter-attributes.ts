import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { rows } from '../../parse/nul-records.ts';

export interface FilteredFile {
  readonly path: string;
  readonly filter: string;
}

const noValue = new Set(['unspecified', 'unset', 'set']);

/** Finds the files among `paths` whose attribute `filter` has a value. */
export function filterAttributes(paths: readonly string[]): Command<FilteredFile[]> {
  return {
    args: argv`check-attr -z --stdin filter`,
    input: paths.map((path) => `${path}\0`).join(''),
    maxBytes: 256 * 1024 * 1024,
    parse: ({ stdout }) =>
      rows(stdout, 3)
        .map(([path = '', , filter = '']) => ({ path, filter }))
        .filter(({ filter }) => !noValue.has(filter)),
  };
}
