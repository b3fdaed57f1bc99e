import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { bundleParts, filesOf } from './bundle-parts.ts';
import { bundlePage } from './bundle-page.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { billOfMaterials, bundledPackages, licenseNotices } from './bundled-packages.ts';

// Bundles the program in the current directory. `dist/main.cjs` starts it, `dist/server.cjs` has what a
// handshake needs, `dist/later.cjs` what that imports on demand, and `dist/seldom.cjs` what `later.cjs`
// imports on demand. So a start reads and compiles only what it runs, without Node's ES module loader.

// An argument name=file is a further program of the server, in its own file.

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  name: string;
  version: string;
  engines: { node: string };
  dependencies?: { [name: string]: string };
};
const { engines, dependencies = {} } = manifest;

const options = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: `node${engines.node.replace('>=', '')}`,
  conditions: ['@mcp/source'],
  mainFields: ['module', 'main'],
  metafile: true,
  // Dependencies that are installed, such as a driver with native code, are not bundled;
  // those of the workspace are.
  external: installed(),
  // `import.meta` is empty in this format; code uses that to detect the bundle.
  logOverride: { 'empty-import-meta': 'silent' },
  // Turns import() into require().
  supported: { 'dynamic-import': false },
} satisfies BuildOptions;

/**
 * Compiling takes a good part of a start, so Node caches the compiled code in the user's own cache directory.
 * In a shared directory, another user could place code that we would run.
 */
const main = `#!/usr/bin/env node
try {
  const { homedir } = require('node:os');
  const cache = process.env.XDG_CACHE_HOME || homedir() + '/.cache';
  require('node:module').enableCompileCache?.(cache + '/mcp');
} catch {}
require('./server.cjs');
`;

// The old `dist` is used until the new one is complete.
const made = 'dist.new';
rmSync(made, { recursive: true, force: true });
mkdirSync(made);

const homes = await bundleParts(options, made);
const programs = process.argv.slice(2).map((argument) => argument.split('=') as [name: string, file: string]);
const others = await Promise.all(
  programs.map(([name, file]) =>
    build({
      ...options,
      entryPoints: [file],
      outfile: `${made}/${name}.cjs`,
      plugins: [lazyBuiltins],
    }).then(({ metafile }) => filesOf(metafile)),
  ),
);

// The skills of the server, which it reads when a client asks for them.
if (existsSync('skills')) cpSync('skills', `${made}/skills`, { recursive: true });
// The views of the server, each in one file.
for (const page of globSync('view/*.html'))
  writeFileSync(`${made}/${basename(page)}`, await bundlePage(page, { conditions: options.conditions }));
writeFileSync(`${made}/main.cjs`, main, { mode: 0o755 });
const packages = bundledPackages([...homes.keys(), ...others.flat()]);
writeFileSync(`${made}/third-party-licenses.txt`, licenseNotices(packages));
writeFileSync(`${made}/sbom.cdx.json`, billOfMaterials(manifest, packages));
rmSync('dist', { recursive: true, force: true });
renameSync(made, 'dist');

function installed(): string[] {
  return Object.keys(dependencies).filter((name) => !dependencies[name]!.startsWith('workspace:'));
}
