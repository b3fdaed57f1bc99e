import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** The modules of Node that a start does not need, and that take a millisecond or more to load. */
const slow =
  'child_process crypto fs/promises http https readline timers/promises tls vm worker_threads zlib'.split(
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
    esbuild.onResolve(
      { filter: new RegExp(`^node:(?:${slow.join('|')})$`) },
      ({ path, importer, ...from }) => {
        if (from.namespace === namespace) return undefined;
        const names = namesIn(readFileSync(importer, 'utf8'), path);
        return { path: `${path} ${names.toSorted().join(' ')}`, namespace, pluginData: { path, names } };
      },
    );
    esbuild.onLoad({ filter: /./, namespace }, ({ pluginData }) => {
      const { path, names } = pluginData as { readonly path: string; readonly names: readonly string[] };
      const getters = names.map((name) => `get ${name}() { return require('${path}').${name}; }`);
      return { contents: `module.exports = { ${getters.join(', ')} };` };
    });
  },
};

/** The names that a source imports from a module of Node; all of the module, unless it imports by names. */
function namesIn(source: string, path: string): readonly string[] {
  const [, list] = new RegExp(`\\bimport(?: type)? \\{([^}]*)\\} from '${path}'`).exec(source) ?? [];
  if (list === undefined) return Object.keys(load(path) as object).filter((name) => name !== 'default');
  const imported = list.split(',').map((each) => each.trim());
  return imported
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => each.split(' as ')[0]!.trim());
}
