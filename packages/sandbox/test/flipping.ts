import { join } from 'node:path';
import { Helper } from './helper.ts';
import type { Workspace } from './workspace.ts';

/** Starts a process that swaps a path with a link to the outside and back, in an endless loop. */
export async function flipping(workspace: Workspace, name: string): Promise<Helper> {
  const path = JSON.stringify(join(workspace.root, name));
  const helper = new Helper(`
    const path = ${path}, inside = path + '.inside', out = path + '.out';
    console.log('flipping');
    for (;;) {
      fs.renameSync(path, inside); fs.renameSync(out, path);
      fs.renameSync(path, out); fs.renameSync(inside, path);
    }`);
  await helper.line();
  return helper;
}
