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
import { basename, relative, resolve } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { bundlePage } from './bundle-page.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { billOfMaterials, bundledPackages, licenseNotices } from './bundled-packages.ts';

// Bundles the program in the current directory as three files: `dist/main.cjs` starts it,
// `dist/server.cjs` has what a handshake needs, and `dist/later.cjs` has what is imported on demand.
// So a start reads and compiles only the code that it runs, without Node's ES module loader.

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
  external: ['./server.cjs', './later.cjs', ...installed()],
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

/**
 * Modules that have no effect when they are loaded, but do not say so. One of jsonc-parser makes tables for
 * 1.5 ms, for a formatter that nothing here uses.
 */
const withoutEffects = /[\\/]node_modules[\\/]jsonc-parser[\\/]/;

// The old `dist` is used until the new one is complete.
const made = 'dist.new';
rmSync(made, { recursive: true, force: true });
mkdirSync(made);

// Only the bundling of `later.cjs` shows which modules it takes from `server.cjs`, which must export them. So
// the server is bundled twice: first without exports.
const withoutExports = await bundleServer([], false);
const later = await bundleLater(withoutExports.fromOther, filesOf(withoutExports));
const server = await bundleServer(later.fromOther);
const programs = process.argv.slice(2).map((argument) => argument.split('=') as [name: string, file: string]);
const others = await Promise.all(
  programs.map(([name, file]) =>
    build({
      ...options,
      entryPoints: [file],
      outfile: `${made}/${name}.cjs`,
      plugins: [lazyBuiltins],
    }).then(filesOf),
  ),
);

// The skills of the server, which it reads when a client asks for them.
if (existsSync('skills')) cpSync('skills', `${made}/skills`, { recursive: true });
// The views of the server, each in one file.
for (const page of globSync('view/*.html'))
  writeFileSync(`${made}/${basename(page)}`, await bundlePage(page, { conditions: options.conditions }));
writeFileSync(`${made}/main.cjs`, main, { mode: 0o755 });
const packages = bundledPackages([
  ...filesOf(server),
  ...filesOf(later),
  ...others.flatMap((each) => [...each]),
]);
writeFileSync(`${made}/third-party-licenses.txt`, licenseNotices(packages));
writeFileSync(`${made}/sbom.cdx.json`, billOfMaterials(manifest, packages));
rmSync('dist', { recursive: true, force: true });
renameSync(made, 'dist');

/** Bundles `server.cjs`, which exports the modules in `shared`, each by its path. */
function bundleServer(shared: readonly string[], write = true) {
  const exports = shared.map((path) => `export * as ${quoted(path)} from ${quoted(resolve(path))};`);
  return bundle('server', [`import ${quoted(resolve('src/main.ts'))};`, ...exports], {
    write,
    from: 'later',
    takes: (_, kind) => kind === 'dynamic-import',
  });
}

/**
 * Bundles `later.cjs`, which exports the modules in `onDemand`, each by its path and run when
 * it is first asked for.
 */
function bundleLater(onDemand: readonly string[], inServer: ReadonlySet<string>) {
  const exports = onDemand.map(
    (path) =>
      `Object.defineProperty(exports, ${quoted(path)}, { get: () => require(${quoted(resolve(path))}) });`,
  );
  return bundle('later', exports, { from: 'server', takes: (path) => inServer.has(path) });
}

/**
 * Bundles `server.cjs` or `later.cjs`. Returns in `fromOther` the paths of the modules that this file takes
 * from the other of the two, which `from` names.
 */
async function bundle(
  name: string,
  lines: readonly string[],
  {
    from,
    takes,
    write = true,
  }: { from: string; takes: (path: string, kind: string) => boolean; write?: boolean },
) {
  const fromOther = new Set<string>();
  // Marks the requests of this plugin to resolve a path, which the plugin itself must not answer.
  const ownRequest = Symbol(name);
  const plugin: Plugin = {
    name,
    setup(esbuild) {
      esbuild.onResolve({ filter: /./ }, async ({ path, pluginData, ...where }) => {
        if (pluginData === ownRequest || path === `./${from}.cjs`) return undefined;
        const found = await esbuild.resolve(path, { ...where, pluginData: ownRequest });
        const place = relative('.', found.path);
        if (found.external || !takes(place, where.kind))
          return withoutEffects.test(found.path) ? { ...found, sideEffects: false } : found;
        fromOther.add(place);
        return { path: place, namespace: from };
      });
      esbuild.onLoad({ filter: /./, namespace: from }, ({ path }) => ({
        contents: `module.exports = require('./${from}.cjs')[${quoted(path)}];`,
      }));
    },
  };
  const { metafile } = await build({
    ...options,
    write,
    outfile: `${made}/${name}.cjs`,
    stdin: { contents: lines.join('\n'), resolveDir: process.cwd() },
    plugins: [lazyBuiltins, plugin],
  });
  // Sorted, because esbuild resolves in parallel: two builds have the same bytes.
  return { fromOther: [...fromOther].toSorted(), metafile };
}

/**
 * The paths of the modules in `server.cjs` or in `later.cjs`. Modules that one of these two files takes from
 * the other, and modules of which nothing is used, are left out.
 */
function filesOf({ metafile }: { readonly metafile: Metafile }): Set<string> {
  const [{ inputs }] = Object.values(metafile.outputs) as [Metafile['outputs'][string]];
  const used = Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0);
  return new Set(used.filter((path) => !/^(?:server|later):/.test(path)));
}

function installed(): string[] {
  return Object.keys(dependencies).filter((name) => !dependencies[name]!.startsWith('workspace:'));
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
