import { isAbsolute, relative, sep } from 'node:path';

/** Whether a directory is `root` or inside it; both are absolute and without symlinks. */
export function contains(root: string, directory: string): boolean {
  const fromRoot = relative(root, directory);
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}
