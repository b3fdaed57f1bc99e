import type { Command } from '../command.ts';
import { fields } from '../parse/nul-records.ts';

/** A file whose attributes name a filter. */
export interface FilteredFile {
  readonly path: string;
  /** The name of the filter driver. */
  readonly filter: string;
}

/** Finds the files among `paths` whose attribute `filter` has a value. */
export function filterAttributes(paths: readonly string[]): Command<FilteredFile[]> {
  return {
    args: ['check-attr', '-z', '--stdin', 'filter'],
    input: paths.map((path) => `${path}\0`).join(''),
    maxBytes: 256 * 1024 * 1024,
    parse: ({ stdout }) => {
      const all = fields(stdout);
      const found: FilteredFile[] = [];
      for (let at = 0; at + 2 < all.length; at += 3) {
        const filter = all[at + 2]!;
        if (!noValue.has(filter)) found.push({ path: all[at]!, filter });
      }
      return found;
    },
  };
}

const noValue = new Set(['unspecified', 'unset', 'set']);
