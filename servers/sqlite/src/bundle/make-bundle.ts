import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Databases, resolveFiles } from '@mcp/sqlite-pool';
import { bundleManifest } from './bundle-manifest.ts';
import { programFiles } from './program-files.ts';
import { zip } from './zip.ts';

export interface BundleRequest {
  readonly paths: readonly string[];
  /** The file of the bundle, which must not exist. */
  readonly out: string;
  /** Defaults to the names of the databases. */
  readonly name: string | undefined;
  readonly author: string | undefined;
  readonly version: string | undefined;
  /** The file of the operator's own queries, which the bundle has too. */
  readonly queries: string | undefined;
  /** The other options of the server, as words of its command line. */
  readonly settings: readonly string[];
}

/** Maximum size of a database in bytes, because the bundle is made in memory. */
const maxDatabaseBytes = 1024 ** 3;

/** Writes a bundle with the server, copies of databases and the settings. Returns its size in bytes. */
export async function makeBundle({
  paths,
  out,
  queries,
  settings,
  ...facts
}: BundleRequest): Promise<number> {
  if (existsSync(out)) throw new Error(`File exists: "${out}"; choose another name`);
  const names = fileNames(paths);
  const temporary = mkdtempSync(join(tmpdir(), 'mcp-bundle-'));
  try {
    const copies = await copyDatabases(paths, temporary);
    const own = queries === undefined ? [] : [{ path: 'data/queries.json', bytes: readFileSync(queries) }];
    const args = [
      ...names.map((name) => `\${__dirname}/data/${name}`),
      ...(queries === undefined ? [] : ['--queries', '${__dirname}/data/queries.json']),
      ...settings,
    ];
    const {
      name = copies.map((each) => each.name).join(', '),
      author = 'The operator',
      version = '1.0.0',
    } = facts;
    const manifest = JSON.stringify(bundleManifest({ name, author, version, args }), null, 2);
    const bundle = zip([
      { path: 'manifest.json', bytes: Buffer.from(manifest) },
      ...programFiles(),
      ...copies.map(({ file }) => ({ path: `data/${basename(file)}`, bytes: readFileSync(file) })),
      ...own,
    ]);
    writeFileSync(out, bundle, { flag: 'wx' });
    return bundle.length;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Returns the names of the files in the bundle. Throws for a name with unusual characters, because a host
 * would replace variables such as `${HOME}` in it.
 */
function fileNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => basename(path));
  const odd = names.find((name) => !/^[\p{L}\p{N}_.() -]+$/u.test(name));
  if (odd !== undefined)
    throw new Error(
      `Invalid name: "${odd}"; a database in a bundle has letters, digits and _.()- in its name`,
    );
  const taken = new Set(names.map((name) => name.toLowerCase()));
  if (taken.size < names.length) throw new Error('Two databases have the same file name; rename one of them');
  return names;
}

/** Copies each database as it is at one commit, also while others write to it. */
async function copyDatabases(paths: readonly string[], exportDirectory: string) {
  using databases = new Databases(resolveFiles({ paths, exportDirectory }), {});
  const copies: { name: string; file: string }[] = [];
  for (const [index, database] of databases.all.entries()) {
    const { path, bytes } = await databases.exports!.backup(
      database,
      basename(paths[index]!),
      () => undefined,
    );
    if (bytes > maxDatabaseBytes)
      throw new Error(`Too large: "${database.path}"; a database in a bundle has at most 1 GiB`);
    copies.push({ name: database.name, file: path });
  }
  return copies;
}
