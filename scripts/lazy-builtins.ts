import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** The modules of Node that a start does not need, and that take a millisecond or more to load. */
const slow =
  'child_process crypto fs/promises http https net readline stream timers/promises tls vm worker_threads zlib'.split(
    ' ',
  );

const load = createRequire(import.meta.url);
const namespace = 'builtin';

/**
 * Loads these modules when one of their members is first used, and not when the code that imports them is
 * run: that code may be a part of the start.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(esbuild) {
    const filter = new RegExp(`^node:(?:${slow.join('|')})$`);
    esbuild.onResolve({ filter }, ({ path, importer, kind }) => {
      // `import()` and `require` load a module when they are run.
      if (kind !== 'import-statement') return undefined;
      const names = namesIn(readFileSync(importer, 'utf8'), path);
      return { path: `${path} ${names.toSorted().join(' ')}`, namespace, pluginData: { path, names } };
    });
    esbuild.onLoad({ filter: /./, namespace }, ({ pluginData }) => {
      const { path, names } = pluginData as { readonly path: string; readonly names: readonly string[] };
      const getters = names.map((name) => `get ${name}() { return require('${path}').${name}; }`);
      return { contents: `module.exports = { ${getters.join(', ')} };` };
    });
  },
};

/** The names that a source imports from a module of Node; all of the module, unless it imports by names. */
function namesIn(source: string, path: string): readonly string[] {
  const imports = source.matchAll(new RegExp(`\\bimport \\{([^}]*)\\} from '${path}'`, 'g'));
  const named = Array.from(imports, ([, list = '']) => list.split(','))
    .flat()
    .map((each) => each.trim().split(' as ')[0]!.trim())
    .filter((each) => each !== '' && !each.startsWith('type '));
  const names = [...new Set(named)];
  return names.length > 0 ? names : Object.keys(load(path) as object).filter((name) => name !== 'default');
}
