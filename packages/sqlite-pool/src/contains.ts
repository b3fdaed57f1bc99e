import { isAbsolute, relative, sep } from 'node:path';

/** Whether a directory is `root` or is inside `root`. Both are absolute paths without symlinks. */
export function contains(root: string, directory: string): boolean {
  const fromRoot = relative(root, directory);
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}
