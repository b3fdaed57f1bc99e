import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

// Bundles the server in the current directory with all it needs, as three files: `dist/main.cjs` starts it,
// `dist/server.cjs` is what answers a handshake, and `dist/later.cjs` what is imported on demand. A start reads
// and compiles no more than it runs, and nothing of Node's ES module loader has to be set up.

// What is given as name=file is a further program of the server, in a file of its own.

const { engines, dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { node: string };
  dependencies?: { [name: string]: string };
};

const options = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: `node${engines.node.replace('>=', '')}`,
  conditions: ['@mcp/source'],
  mainFields: ['module', 'main'],
  metafile: true,
  // What is installed beside the server, such as a driver with native code, is not in it.
  external: ['./server.cjs', './later.cjs', ...Object.keys(dependencies)],
  // In this format it is undefined, and who asks knows by that that it runs from a bundle.
  logOverride: { 'empty-import-meta': 'silent' },
  // Turns import() into require().
  supported: { 'dynamic-import': false },
} satisfies BuildOptions;

/**
 * Compiling the server takes a good part of its start, so Node keeps the result for the next one: in the user's
 * own cache directory, since whoever can write to a shared one could have us run what they put there.
 */
const main = `#!/usr/bin/env node
try {
  const { homedir } = require('node:os');
  const cache = process.env.XDG_CACHE_HOME || homedir() + '/.cache';
  require('node:module').enableCompileCache?.(cache + '/mcp');
} catch {}
require('./server.cjs');
`;

// What is in `dist` serves until all of its successor is there.
const made = 'dist.new';
rmSync(made, { recursive: true, force: true });
mkdirSync(made);

// What either file takes from the other is known once it is bundled, so the server is bundled twice.
const unshared = await bundleServer([], false);
const later = await bundleLater(unshared.taken, filesOf(unshared));
const server = await bundleServer(later.taken);
const programs = process.argv.slice(2).map((argument) => argument.split('=') as [name: string, file: string]);
const others = await Promise.all(
  programs.map(([name, file]) =>
    build({ ...options, entryPoints: [file], outfile: `${made}/${name}.cjs` }).then(filesOf),
  ),
);

writeFileSync(`${made}/main.cjs`, main, { mode: 0o755 });
writeFileSync(
  `${made}/third-party-licenses.txt`,
  licenses([...filesOf(server), ...filesOf(later), ...others.flatMap((each) => [...each])]),
);
rmSync('dist', { recursive: true, force: true });
renameSync(made, 'dist');

/** Bundles `server.cjs`, which exports the modules in `shared`, each by its path. */
function bundleServer(shared: Iterable<string>, write = true) {
  const exports = Array.from(shared, (path) => `export * as ${quoted(path)} from ${quoted(resolve(path))};`);
  return bundle('server', [`import ${quoted(resolve('src/main.ts'))};`, ...exports], {
    write,
    from: 'later',
    takes: (_, kind) => kind === 'dynamic-import',
  });
}

/** Bundles `later.cjs`, which exports the modules in `onDemand`, each by its path and run when it is first asked for. */
function bundleLater(onDemand: Iterable<string>, inServer: ReadonlySet<string>) {
  const exports = Array.from(
    onDemand,
    (path) =>
      `Object.defineProperty(exports, ${quoted(path)}, { get: () => require(${quoted(resolve(path))}) });`,
  );
  return bundle('later', exports, { from: 'server', takes: (path) => inServer.has(path) });
}

/** One file of the bundle; `taken` are the modules, by path, that it takes from the other one. */
async function bundle(
  name: string,
  lines: readonly string[],
  {
    from,
    takes,
    write = true,
  }: { from: string; takes: (path: string, kind: string) => boolean; write?: boolean },
) {
  const taken = new Set<string>();
  const asked = Symbol(name);
  const plugin: Plugin = {
    name,
    setup(esbuild) {
      esbuild.onResolve({ filter: /./ }, async ({ path, pluginData, ...where }) => {
        if (pluginData === asked || path === `./${from}.cjs`) return undefined;
        const found = await esbuild.resolve(path, { ...where, pluginData: asked });
        const place = relative('.', found.path);
        if (found.external || !takes(place, where.kind)) return found;
        taken.add(place);
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
    plugins: [plugin],
  });
  return { taken, metafile };
}

/** The modules in a file of the bundle, less those that it takes from the other one. */
function filesOf({ metafile }: { readonly metafile: Metafile }): Set<string> {
  return new Set(Object.keys(metafile.inputs).filter((path) => !/^(?:server|later):/.test(path)));
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The licenses of the packages whose code is in the bundle, which ask to be passed on with it. */
function licenses(inputs: readonly string[]): string {
  const folders = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (!file) throw new Error(`No license file in ${folder}`);
      return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
    })
    .toSorted()
    .join('\n---\n\n');
}
