import { mkdirSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

const repository = join(import.meta.dirname, '../../..');
const directory = join(repository, 'node_modules/.cache/programs');
const bundled = new Map<string, string>();
const options = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@mcp/source'],
  external: ['better-sqlite3'],
  // Packages in CommonJS load the modules of Node with `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  logLevel: 'error',
} as const satisfies BuildOptions;

/**
 * Bundles the TypeScript program `source` into one JavaScript file, and returns its path. It starts in a
 * third of the CPU time, because Node removes no types and resolves no imports.
 */
export function bundledProgram(source: string): string {
  const known = bundled.get(source);
  if (known !== undefined) return known;
  const name = relative(repository, source).replaceAll(/[\\/]/g, '-');
  const file = join(directory, name.replace(/\.ts$/, '.mjs'));
  const own = `${file}.${process.pid}`;
  mkdirSync(directory, { recursive: true });
  buildSync({ ...options, entryPoints: [source], outfile: own });
  // Renamed when complete: other workers write the same bundle, and a program may start from it any time.
  renameSync(own, file);
  bundled.set(source, file);
  return file;
}

/**
 * Bundles TypeScript programs into `directory`: each becomes a file with its own name and the extension
 * `.mjs`. Code that several programs import is in files that they share.
 */
export function bundlePrograms(sources: readonly string[], directory: string): void {
  buildSync({
    ...options,
    entryPoints: [...sources],
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    splitting: true,
  });
}
