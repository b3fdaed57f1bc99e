import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { ZipEntry } from './zip.ts';

/** The directory of the built program. */
const dist = import.meta.dirname === undefined ? __dirname : join(import.meta.dirname, '../../dist');
/** What of the driver runs; its sources stay behind. */
const driverParts = ['package.json', 'LICENSE', 'lib', 'prebuilds'];

/** The built program and the driver that is installed beside it, with native code for every system. */
export function programFiles(): readonly ZipEntry[] {
  const program = filesIn(dist)
    .filter((file) => /\.(?:cjs|json|txt)$/.test(file))
    .map((file) => entryOf(file, dist, 'dist'));
  const require = createRequire(join(dist, 'main.cjs'));
  const driver = dirname(require.resolve('better-sqlite3/package.json'));
  const wanted = filesIn(driver).filter((file) =>
    driverParts.includes(relative(driver, file).split(sep)[0]!),
  );
  // The license is there where the package was installed.
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
