import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../repository.ts';

const maxAttributesBytes = 1024 * 1024;

/**
 * Whether filters are configured that do not run, such as that of Git LFS, so that files may look modified.
 */
export async function hasDisabledFilters(repository: Repository): Promise<boolean> {
  if (repository.trusted) return false;
  const settings = await repository.settings();
  if (!settings.some(({ key }) => /^filter\..*\.(clean|process)$/s.test(key))) return false;
  const { top, commonDir } = await repository.layout();
  return [join(top, '.gitattributes'), join(commonDir, 'info/attributes')].some(namesFilter);
}

function namesFilter(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > maxAttributesBytes) return false;
  return /^[^#\n].*\bfilter=/m.test(readFileSync(path, 'latin1'));
}
