import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'esbuild';

// Bundles the entries of the package in the current directory as ES modules in `dist`, and the programs that
// the package starts, which are the arguments of the command. Style sheets are copied.
// What several entries need is in `dist/chunks`, so that a program which imports two of them has one copy.
// Loading a file for each source would take Node three times as long.

interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, { readonly '@mcp/source': string }>>;
}

const {
  engines,
  dependencies = {},
  peerDependencies = {},
  exports,
} = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

const sources = Object.values(exports).map((entry) => entry['@mcp/source']);
const styles = sources.filter((source) => source.endsWith('.css'));

const { outputFiles } = await build({
  entryPoints: [...sources.filter((source) => !styles.includes(source)), ...process.argv.slice(2)],
  outdir: 'dist',
  chunkNames: 'chunks/[hash]',
  write: false,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  // The packages in `dependencies` and `peerDependencies` are installed beside this package. Packages of the
  // workspace that are not published are bundled instead.
  external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
  conditions: ['@mcp/source'],
  mainFields: ['module', 'main'],
  target: `node${engines.node.replace('>=', '')}`,
});

rmSync('dist', { recursive: true, force: true });
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  // Removes the imports without names that esbuild writes: they run a chunk for its side effects, and the
  // chunks have none.
  writeFileSync(path, text.replaceAll(/^import "\.{1,2}\/.*";\n/gm, ''));
}
for (const style of styles) cpSync(style, style.replace('./src/', 'dist/'));
