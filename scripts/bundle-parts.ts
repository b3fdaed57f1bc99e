import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin, type ResolveResult } from 'esbuild';
import { lazyBuiltins } from './lazy-builtins.ts';

/**
 * Modules that have no effect when they are loaded, but do not say so. One of jsonc-parser makes tables for
 * 1.5 ms, for a formatter that nothing here uses.
 */
const withoutEffects = /[\\/]node_modules[\\/]jsonc-parser[\\/]/;

/** The namespace of the modules that a part uses from another one. */
const otherPart = 'other-part';
/** The parts of the program, in the order in which a start may read them. */
const parts = ['server', 'later', 'seldom'] as const;
type Part = (typeof parts)[number];

interface Layout {
  /** The part that has a module, by the path of the module. */
  readonly homes: ReadonlyMap<string, Part>;
  /** The paths of the modules that a part exports because other parts use them. */
  readonly exports: { readonly [part in Part]: ReadonlySet<string> };
}

type Options = BuildOptions & { readonly metafile: true };

/** What imports resolve to: looking for files takes most of the time of a bundling. */
type Resolved = Map<string, Promise<ResolveResult>>;

interface Bundling {
  readonly options: Options;
  /** Where the files of the parts are written. */
  readonly directory: string;
  readonly resolved: Resolved;
}

/** Whether a module only exports what others define, by its path. */
const barrels = new Map<string, boolean>();
/**
 * Bundles the program `src/main.ts` of the current directory, and returns the part of each module. Only when
 * all parts are bundled is it known which modules each must export, and an export can bring more modules: so
 * this is repeated until nothing changes.
 */
export async function bundleParts(options: Options, directory: string): Promise<Layout['homes']> {
  const resolved: Resolved = new Map();
  let before: Layout = { homes: new Map(), exports: noPaths() };
  for (;;) {
    const homes = new Map<string, Part>();
    const exports = noPaths();
    for (const part of parts) {
      const { files, used } = await bundlePart(part, { homes, exports }, before, {
        options,
        directory,
        resolved,
      });
      for (const path of files) homes.set(path, part);
      for (const { home, path } of used) exports[home].add(path);
    }
    if (description({ homes, exports }) === description(before)) return homes;
    before = { homes, exports };
  }
}

/**
 * Bundles one part. `known` is the layout of the parts before it, and `before` what the last bundling of all
 * parts has found. Returns the paths of its modules, and of those that it uses from other parts.
 */
async function bundlePart(
  part: Part,
  known: Layout,
  before: Layout,
  { options, directory, resolved }: Bundling,
) {
  /** The modules that this part may use from other parts, by their names in the bundle. */
  const others = new Map<string, { readonly home: Part; readonly path: string }>();
  // Marks the requests of this plugin to resolve a path, which the plugin itself must not answer.
  const ownRequest = Symbol(part);
  const next = parts[parts.indexOf(part) + 1];
  const homeOf = (path: string, kind: string): Part => {
    const isDynamic = kind === 'dynamic-import';
    if (onlyReexports(path)) return isDynamic && next ? next : part;
    return known.homes.get(path) ?? (isDynamic && next && before.homes.get(path) !== part ? next : part);
  };
  const plugin: Plugin = {
    name: part,
    setup(esbuild) {
      esbuild.onResolve({ filter: /./ }, async ({ path, pluginData, ...where }) => {
        if (pluginData === ownRequest || where.namespace === otherPart) return undefined;
        const key = `${path} ${where.kind} ${where.resolveDir}`;
        if (!resolved.has(key))
          resolved.set(key, esbuild.resolve(path, { ...where, pluginData: ownRequest }));
        const found = await resolved.get(key)!;
        if (found.external) return found;
        const place = relative('.', found.path);
        const home = homeOf(place, where.kind);
        if (home === part) return withoutEffects.test(found.path) ? { ...found, sideEffects: false } : found;
        // Not the path alone: esbuild would take what ends with `.mjs` for an ES module.
        const name = `${place} of ${home}`;
        others.set(name, { home, path: place });
        return { path: name, namespace: otherPart, sideEffects: false };
      });
      esbuild.onLoad({ filter: /./, namespace: otherPart }, ({ path: name }) => {
        const { home, path } = others.get(name)!;
        return { contents: `module.exports = require('./${home}.cjs')[${quoted(path)}];` };
      });
    },
  };
  const { metafile } = await build({
    ...options,
    external: [...(options.external ?? []), ...parts.map((each) => `./${each}.cjs`)],
    outfile: `${directory}/${part}.cjs`,
    stdin: {
      contents: entryOf(part, new Set([...known.exports[part], ...before.exports[part]])),
      resolveDir: process.cwd(),
    },
    plugins: [lazyBuiltins, plugin],
  });
  const files = filesOf(metafile);
  const isUsed = (name: string) => files.includes(`${otherPart}:${name}`);
  return {
    files: files.filter((path) => !path.startsWith(otherPart)),
    used: Array.from(others, ([name, module]) => (isUsed(name) ? [module] : [])).flat(),
  };
}

/** The program of a part. What is imported on demand runs when it is first asked for. */
function entryOf(part: Part, exports: ReadonlySet<string>): string {
  // Sorted, because esbuild resolves in parallel: two builds have the same bytes.
  const paths = [...exports].toSorted().map((path) => [quoted(path), quoted(resolve(path))] as const);
  if (part === 'server')
    return [
      `import ${quoted(resolve('src/main.ts'))};`,
      ...paths.map(([name, file]) => `export * as ${name} from ${file};`),
    ].join('\n');
  return paths
    .map(([name, file]) => `Object.defineProperty(exports, ${name}, { get: () => require(${file}) });`)
    .join('\n');
}

/** The paths of the modules in a bundle, without those of which nothing is used. */
export function filesOf({ outputs }: Metafile): string[] {
  const [{ inputs }] = Object.values(outputs) as [Metafile['outputs'][string]];
  return Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0);
}

/**
 * Whether a module only exports what others define. Each part has its own copy of such a module, because to
 * export it would bring all that it names.
 */
function onlyReexports(path: string): boolean {
  const known = barrels.get(path);
  if (known !== undefined) return known;
  const code = readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const rest = code.replaceAll(/export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from '[^']*';/g, '');
  barrels.set(path, rest.trim() === '');
  return rest.trim() === '';
}

function noPaths(): { [part in Part]: Set<string> } {
  return { server: new Set(), later: new Set(), seldom: new Set() };
}

/** A text that is the same for the same layout. */
function description({ homes, exports }: Layout): string {
  return JSON.stringify([
    [...homes].map(String).toSorted(),
    parts.map((part) => [...exports[part]].toSorted()),
  ]);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
