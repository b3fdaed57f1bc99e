import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What a module takes from another one: the names of exports, or all. */
type Names = ReadonlySet<string> | 'all';

interface Manifest {
  readonly exports?: Readonly<Record<string, { readonly '@mcp/source'?: string } | string>>;
}

interface Edge {
  readonly to: string;
  readonly names: Names;
}

interface Module {
  readonly text: string;
  readonly imports: readonly Edge[];
  /**
   * Re-exports of other modules. They count as imports only for the names that an importer of this module
   * takes.
   */
  readonly reexports: readonly (Edge & { readonly exported: Names })[];
}

const patterns = {
  imports: /^import\s+(?!type\s)([^'";]+?)\s+from\s+'([^']+)'/gm,
  sideEffects: /^import\s+'([^']+)'/gm,
  reexports: /^export\s+(?!type\s)(\*|\{[^}]*\})\s*from\s+'([^']+)'/gm,
  onDemand: /\bimport\(\s*'([^']+)'/g,
  // A path with a value in it, such as `fixtures/${name}.ts`, may be any file of that directory.
  files: /(?:new URL\(\s*|import\.meta\.dirname,\s*)['"`]([^'"`$\n]+)/g,
};

/**
 * The modules of a directory, and the files that they import, run or read, which are found by searching the
 * text of each module. Imports of types are left out, because they have no effect when a program runs.
 */
export class ImportGraph {
  readonly #root: string;
  readonly #packages: ReadonlyMap<string, string>;
  readonly #modules = new Map<string, Module>();
  readonly #manifests = new Map<string, Manifest>();

  /** `packages` are the directories of the packages of the workspace, by their names. */
  constructor(root: string, packages: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#packages = packages;
  }

  /** The text of a module. */
  text(file: string): string {
    return this.#module(file).text;
  }

  /**
   * All files that modules reach by imports, and the modules. Imports for which `skip` returns true are left
   * out.
   */
  reached(from: readonly string[], skip: (file: string, to: string) => boolean = () => false): Set<string> {
    const seen = new Set<string>();
    const files = new Set<string>();
    const waiting: Edge[] = from.map((to) => ({ to, names: 'all' }));
    for (let edge = waiting.pop(); edge; edge = waiting.pop()) {
      const { to } = edge;
      const { imports, reexports } = this.#module(to);
      if (!files.has(to)) {
        files.add(to);
        waiting.push(...imports.filter((each) => !skip(to, each.to)));
      }
      if (reexports.length === 0) continue;
      const key = `${to} ${edge.names === 'all' ? '*' : [...edge.names].toSorted().join()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push(...this.#taken(reexports, edge.names).filter((each) => !skip(to, each.to)));
    }
    return files;
  }

  /** The part of the re-exports that an importer of these names takes. */
  #taken(reexports: Module['reexports'], names: Names): Edge[] {
    return reexports.flatMap(({ to, names: inner, exported }) => {
      if (names === 'all') return [{ to, names: inner }];
      if (exported === 'all') return [{ to, names }];
      return [...names].some((name) => exported.has(name)) ? [{ to, names: inner }] : [];
    });
  }

  #module(file: string): Module {
    let module = this.#modules.get(file);
    if (!module) this.#modules.set(file, (module = this.#parse(file)));
    return module;
  }

  #parse(file: string): Module {
    if (!/\.[mc]?[jt]s$/.test(file) || !existsSync(file)) return { text: '', imports: [], reexports: [] };
    const text = readFileSync(file, 'utf8');
    const edges = (specifier: string, names: Names) =>
      this.#resolve(file, specifier).map((to): Edge => ({ to, names }));
    return {
      text,
      imports: [
        ...Array.from(text.matchAll(patterns.imports)).flatMap(([, clause = '', specifier = '']) =>
          edges(specifier, namesOf(clause)),
        ),
        ...[patterns.sideEffects, patterns.onDemand].flatMap((pattern) =>
          Array.from(text.matchAll(pattern)).flatMap(([, specifier = '']) => edges(specifier, 'all')),
        ),
        ...Array.from(text.matchAll(patterns.files))
          .flatMap(([, path = '']) => this.#named(join(dirname(file), path)))
          .map((to): Edge => ({ to, names: 'all' })),
      ],
      reexports: Array.from(text.matchAll(patterns.reexports)).flatMap(([, clause = '', specifier = '']) =>
        edges(specifier, namesOf(clause)).map((edge) => ({ ...edge, exported: exportedNamesOf(clause) })),
      ),
    };
  }

  /** The file of a specifier: none for a package that is installed. */
  #resolve(from: string, specifier: string): string[] {
    if (specifier.startsWith('.')) return [resolve(dirname(from), specifier)];
    const [, name = '', entry = ''] = /^(@[^/]+\/[^/]+)(\/.+)?$/.exec(specifier) ?? [];
    const directory = this.#packages.get(name);
    if (directory === undefined) return [];
    let manifest = this.#manifests.get(directory);
    if (!manifest) {
      manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
      this.#manifests.set(directory, manifest);
    }
    const target = manifest.exports?.[`.${entry}`];
    const source = typeof target === 'string' ? target : target?.['@mcp/source'];
    return source === undefined ? [] : [join(directory, source)];
  }

  /**
   * The files that a path in the text of a module stands for: the main source for a built program, and all
   * files in it for a directory.
   */
  #named(path: string): string[] {
    const [, directory = ''] = /^(.*)\/dist\/[\w-]+\.c?js$/.exec(path) ?? [];
    if (directory.startsWith(this.#root))
      return [join(directory, 'src/main.ts'), join(directory, 'package.json')];
    const found = existsSync(path) ? path : dirname(path);
    if (found === this.#root || !found.startsWith(this.#root) || !existsSync(found)) return [];
    if (statSync(found).isFile()) return [found];
    if (existsSync(join(found, 'package.json'))) return [];
    return readdirSync(found, { recursive: true, encoding: 'utf8' })
      .map((name) => join(found, name))
      .filter(
        (file) => !file.includes('node_modules') && !file.endsWith('.test.ts') && statSync(file).isFile(),
      );
  }
}

/** `{ a, type B, c as d }` takes a and c; any other form takes all. */
function namesOf(clause: string): Names {
  const [, braces] = /^\{([^}]*)\}$/.exec(clause.trim()) ?? [];
  return braces === undefined ? 'all' : new Set(listed(braces).map(([name]) => name));
}

function exportedNamesOf(clause: string): Names {
  const [, braces] = /^\{([^}]*)\}$/.exec(clause.trim()) ?? [];
  return braces === undefined ? 'all' : new Set(listed(braces).map(([name, as = name]) => as));
}

function listed(braces: string): (readonly [name: string, as: string | undefined])[] {
  return braces
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => {
      const [name = '', as] = each.split(/\s+as\s+/);
      return [name, as] as const;
    });
}
