import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { admitLayout } from './check-layout.ts';
import { layoutArgs, parseLayout } from './repository-layout.ts';
import type { Bound } from './allowed-directories.ts';
import { look, type Inspector } from './inspect.ts';

/** Refuses a remote on this machine of which any part lies outside the bound: the repository that git finds at a path. */
export async function admitFarEnd(world: Inspector & { readonly bound: Bound }, path: string): Promise<void> {
  const inside = join(path, '.git');
  const gitDir = lstatSync(inside, { throwIfNoEntry: false }) ? inside : path;
  const { stdout } = await look(world, [`--git-dir=${gitDir}`, ...layoutArgs], path);
  const layout = parseLayout(stdout);
  // Git would go on looking, under other names.
  if (!layout) throw new Error('The remote cannot be reached, or is not a repository');
  await admitLayout({ ...layout, top: path }, world.bound);
}
