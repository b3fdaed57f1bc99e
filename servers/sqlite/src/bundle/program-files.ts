import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { ZipEntry } from './zip.ts';

/** The directory of the built program. */
const dist = import.meta.dirname === undefined ? __dirname : join(import.meta.dirname, '../../dist');
/** The files of the driver that are needed to run it; its sources are left out. */
const driverParts = ['package.json', 'LICENSE', 'lib', 'prebuilds'];

/** The built program and the driver that is installed beside it, with native code for every system. */
export function programFiles(): readonly ZipEntry[] {
  const program = filesIn(dist)
    .filter((file) => /\.(?:cjs|json|md|txt)$/.test(file))
    .map((file) => entryOf(file, dist, 'dist'));
  const require = createRequire(join(dist, 'main.cjs'));
  const driver = dirname(require.resolve('better-sqlite3/package.json'));
  const wanted = filesIn(driver).filter((file) =>
    driverParts.includes(relative(driver, file).split(sep)[0]!),
  );
  // Only an installed package has this file: in the repository, the license is in the root.
  const license = join(dist, '../LICENSE');
  const own = existsSync(license) ? [{ path: 'LICENSE', bytes: readFileSync(license) }] : [];
  return [...own, ...program, ...wanted.map((file) => entryOf(file, driver, 'node_modules/better-sqlite3'))];
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function entryOf(file: string, from: string, into: string): ZipEntry {
  return { path: [into, ...relative(from, file).split(sep)].join('/'), bytes: readFileSync(file) };
}
