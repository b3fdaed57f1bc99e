import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { assertLayoutAllowed } from './check-layout.ts';
import type { GitContext } from './git-context.ts';
import { inspect } from './inspect.ts';
import { layoutArgs, parseLayout } from './repository-layout.ts';

/** Throws if any part of a local remote is outside the allowed directories. */
export async function assertLocalRemoteAllowed(context: GitContext, path: string): Promise<void> {
  const inside = join(path, '.git');
  const gitDir = lstatSync(inside, { throwIfNoEntry: false }) ? inside : path;
  const { stdout } = await inspect(context, [`--git-dir=${gitDir}`, ...layoutArgs], path);
  const layout = parseLayout(stdout);
  // Without a repository at `path`, git would also try names such as `path.git`, which are not checked here.
  if (!layout)
    throw new Error(
      'The remote cannot be reached, or its URL leads to no repository; check its URL and your access',
    );
  await assertLayoutAllowed({ ...layout, top: path }, context.allowed);
}
