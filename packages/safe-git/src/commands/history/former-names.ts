import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { fields } from '../../parse/nul-records.ts';

/** A commit that has added a file or given it its name; `from` is undefined where the commit added it. */
export interface Naming {
  readonly commit: string;
  readonly from: string | undefined;
  readonly to: string;
}

export interface NamingRange {
  readonly from?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly all?: boolean | undefined;
}

/** The renames of the file at `path`, and the commits that added it under its names, newest first. */
export function namings(
  path: string,
  { from = 'HEAD', since, until, all = false }: NamingRange,
): Command<Naming[]> {
  const start = all ? ['--branches', '--remotes', '--tags'] : ['--end-of-options', from];
  return {
    args: argv`log -z --format=%H --no-show-signature --no-textconv --no-ext-diff --follow --diff-filter=AR --name-status
      --since=${since} --until=${until} ${start} -- ${path}`,
    parse: ({ stdout }) => parseNamings(fields(stdout)),
  };
}

/**
 * Parses fields: for each commit its hash, then for each file a status and one path or, after a rename, two
 * paths.
 */
function parseNamings(all: readonly string[]): Naming[] {
  const found: Naming[] = [];
  let commit = '';
  for (let at = 0; at < all.length; at++) {
    const field = all[at]!.replace(/^\n/, '');
    if (field === 'A') found.push({ commit, from: undefined, to: all[++at] ?? '' });
    else if (/^R\d+$/.test(field)) found.push({ commit, from: all[++at] ?? '', to: all[++at] ?? '' });
    else if (field !== '') commit = field;
  }
  return found;
}
