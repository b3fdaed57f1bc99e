import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filterAttributes, type FilteredFile } from '../../commands/work-tree/filter-attributes.ts';
import type { Repository } from '../../repository.ts';

const maxAttributesBytes = 1024 * 1024;

/** Whether filters such as Git LFS are configured but do not run, so that files may look modified. */
export async function hasDisabledFilters(repository: Repository): Promise<boolean> {
  if (repository.trusted) return false;
  const settings = await repository.settings();
  if (!settings.some(({ key }) => /^filter\..*\.(clean|process)$/s.test(key))) return false;
  const { top, commonDir } = await repository.layout();
  return [join(top, '.gitattributes'), join(commonDir, 'info/attributes')].some(namesFilter);
}

function namesFilter(path: string): boolean {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > maxAttributesBytes) return false;
    return /^[^#\n].*\bfilter=/m.test(readFileSync(path, 'latin1'));
  } catch {
    // The file does not exist, or a parent of its path is a file.
    return false;
  }
}

/** A `clean` filter converts from the work tree to the repository, a `smudge` filter the other way round. */
export type FilterDirection = 'clean' | 'smudge';

/**
 * The settings that give a filter driver an effect: its programs, and `required`, because a required driver
 * without a program makes git fail.
 */
const driverKeys: { readonly [direction in FilterDirection]: RegExp } = {
  clean: /^filter\.(.*)\.(clean|process|required)$/s,
  smudge: /^filter\.(.*)\.(smudge|process|required)$/s,
};

/**
 * Quickly tests whether a file at one of the paths could have a filter, which this package would not run: a
 * driver other than Git LFS is configured, or an attribute file at or above a path names a filter.
 */
export async function mayHaveFilters(
  repository: Repository,
  paths: readonly string[],
  direction: FilterDirection,
): Promise<boolean> {
  if (repository.trusted) return false;
  const { top, commonDir, bare } = await repository.layout();
  if (bare) return false;
  if ((await driversOf(repository, direction)).size > 1) return true;
  const directories = new Set(['.']);
  for (const path of paths)
    for (let at = path; at !== '.' && at !== '/' && !directories.has(at); at = dirname(at))
      directories.add(at);
  const files = [...directories].map((directory) => join(top, directory, '.gitattributes'));
  return [join(commonDir, 'info/attributes'), ...files].some(namesFilter);
}

/** Returns the files among `paths` whose filter does not run, each with the name of its driver. */
export async function filteredFiles(
  repository: Repository,
  paths: readonly string[],
  direction: FilterDirection,
): Promise<FilteredFile[]> {
  if (paths.length === 0) return [];
  const drivers = await driversOf(repository, direction);
  const found = await repository.run(filterAttributes(paths));
  return found.filter(({ filter }) => drivers.has(filter));
}

/** The names of the configured filter drivers. Git LFS is always among them. */
async function driversOf(repository: Repository, direction: FilterDirection): Promise<ReadonlySet<string>> {
  const settings = await repository.settings();
  const names = settings.flatMap(({ key, value }) => {
    const [, name, kind] = driverKeys[direction].exec(key) ?? [];
    const works = kind === 'required' ? !/^(false|no|off|0|)$/i.test(value) : value !== '';
    return name !== undefined && works ? [name] : [];
  });
  return new Set(['lfs', ...names]);
}
