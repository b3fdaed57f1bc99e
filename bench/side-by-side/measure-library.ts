import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, realpathSync, statSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { median } from '../measure.ts';
import { initialize, received, start, stop } from '../child.ts';
import { folderOf, type Library, ours } from './libraries.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** How many packages an install brings, and their bytes. */
export interface Installed {
  readonly packages: number;
  readonly bytes: number;
  /** The versions of the library's own packages. */
  readonly versions: Readonly<Record<string, string>>;
}

const readManifest = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;

/** What the packages of a library and `zod` bring with them, as they are installed beside the program. */
export function installedOf(library: Library): Installed {
  const found = new Map<string, Manifest>();
  const follow = (name: string, from: string) => {
    const directory = findPackage(name, from);
    if (directory === undefined || found.has(directory)) return;
    const manifest = readManifest(directory);
    found.set(directory, manifest);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
    const peers = Object.keys({ ...peerDependencies }).filter(
      (each) => !peerDependenciesMeta?.[each]?.optional,
    );
    for (const each of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      follow(each, directory);
  };
  for (const name of [...library.packages, 'zod']) follow(name, folderOf(library));
  const manifests = [...found.values()];
  const own = manifests.filter(({ name }) => library.packages.includes(name));
  return {
    packages: found.size,
    bytes: [...found.keys()].reduce((sum, directory) => sum + bytesOf(directory), 0),
    versions: Object.fromEntries(own.map(({ name, version }) => [name, version])),
  };
}

/** Where Node finds a package, or undefined: an optional one may be missing. */
function findPackage(name: string, from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (directory === dirname(directory)) return undefined;
  }
}

/** The bytes of the files of a package; of ours, which is not installed, of those that would be published. */
function bytesOf(directory: string): number {
  if (readManifest(directory).name === ours.packages[0]) {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return (JSON.parse(packed) as [{ readonly unpackedSize: number }])[0].unpackedSize;
  }
  const files = globSync('**', {
    cwd: directory,
    exclude: (path) => path.split('/').includes('node_modules'),
  });
  return files
    .map((file) => statSync(join(directory, file)))
    .reduce((sum, status) => sum + (status.isFile() ? status.size : 0), 0);
}

/**
 * The processor time from spawn to the answer to `initialize`, divided by that of a Node that runs a file of
 * TypeScript that prints one line: medians of several runs in turn. Unlike the time on the clock, it hardly
 * depends on what else the machine does. Linux only.
 */
export async function startRatios(all: readonly Library[], runs: number): Promise<Map<Library, number>> {
  const bare: number[] = [];
  const times = new Map<Library, number[]>(all.map((library) => [library, []]));
  for (let run = 0; run < runs; run++) {
    bare.push(await processorMs(join(import.meta.dirname, 'empty.ts')));
    for (const [library, measured] of times)
      measured.push(await processorMs(join(folderOf(library), library.program)));
  }
  return new Map([...times].map(([library, measured]) => [library, median(measured) / median(bare)]));
}

/** The processor time in milliseconds, of all threads, that a program needs until it prints a line. */
async function processorMs(program: string): Promise<number> {
  const server = start({ args: [program] });
  const ready = received(server, 1);
  server.stdin.write(initialize);
  await ready;
  const threads = globSync(`/proc/${server.pid}/task/*/schedstat`);
  const ns = threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]), 0);
  await stop(server);
  return ns / 1e6;
}
