import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The directory of this file, in the sources or in a bundle. */
const ownDirectory = import.meta.dirname || __dirname;

/**
 * The directory of a package that is installed with this program: in the `node_modules` of its own package,
 * or in the one that contains its package. Undefined if there is none. Node would also search the working
 * directory's and other parents' `node_modules`, to which others may write.
 */
export function ownPackage(name: string, own = ownDirectory): string | undefined {
  const root = packageRoot(realpathSync(own));
  const marker = `${sep}node_modules${sep}`;
  const end = root.lastIndexOf(marker);
  const places = [join(root, 'node_modules'), ...(end === -1 ? [] : [root.slice(0, end + marker.length)])];
  return places.map((place) => join(place, name)).find((place) => existsSync(join(place, 'package.json')));
}

/** The one of these paths that contains a directory; undefined if none does. */
export function containing(directory: string, paths: readonly string[]): string | undefined {
  const places = [directory, realpathSync(directory)];
  return paths.find((path) => places.some((place) => isInside(place, path)));
}

function packageRoot(directory: string): string {
  const parent = dirname(directory);
  if (parent === directory || existsSync(join(directory, 'package.json'))) return directory;
  return packageRoot(parent);
}

function isInside(path: string, given: string): boolean {
  const directory = resolve(given);
  const real = existsSync(directory) ? realpathSync(directory) : directory;
  return [directory, real].some((each) => {
    const way = relative(each, path);
    return !isAbsolute(way) && way.split(/[\\/]/, 1)[0] !== '..';
  });
}
