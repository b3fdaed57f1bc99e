import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ImportGraph } from './import-graph.ts';

export interface Selection {
  /** The tests that a change can reach, by package: paths from its directory. */
  readonly selected: ReadonlyMap<string, readonly string[]>;
  /** What is not run, and why. */
  readonly omitted: readonly string[];
}

/** Packages that most others use: a change of one is tested in that package alone. */
const foundations = new Set(['@mcp/protocol', '@mcp/kit', '@mcp/test-kit', '@mcp/watch']);

/** Tests that run the built programs of all packages, install packages, or read the whole repository. */
const wholeRepository = '@mcp/test';

/** Test files that fail unless all other test files of their package run too. */
const judgesOfSuite = new Set(['every-requirement.test.ts', 'every-client-requirement.test.ts']);

/** A change of such a file can reach every test. */
const reachesAll =
  /^(?:package\.json|pnpm-(?:lock|workspace)\.yaml|turbo\.json|tsconfig.*|vitest\.shared\.ts|scripts\/)/;

/**
 * Selects tests by the imports of files, and by these rules for what imports do not show:
 *
 * - A test that names a built program in `dist/` reaches the sources of that program.
 * - `tools.ts`, `resources.ts` and `prompts.ts` of a server are lists of definitions. Through its list, a
 *   definition is reached only by tests whose text names the tool, or matches the list's pattern in `lists`.
 *   The text of a test includes that of its helpers, unless more than half of the tests import the helper.
 * - A file that no module imports, such as a README, is reached by the tests of its package that name it.
 * - A manifest, or the configuration of the tests, is reached by all tests of its package.
 */
export function selectTests(root: string, changed: readonly string[]): Selection {
  const directories = globSync(['{packages,servers,examples}/*/package.json', 'test/package.json'], {
    cwd: root,
  });
  const packages = new Map(
    directories.map((file) => {
      const { name } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string };
      return [name, join(root, dirname(file))] as const;
    }),
  );
  const graph = new ImportGraph(root, packages);
  const changes = changed.map((file) => join(root, file));
  const ownerOf = (file: string) =>
    [...packages].find(([, directory]) => file.startsWith(`${directory}/`))?.[0];
  const owners = new Set(changes.map(ownerOf));
  const all = changed.filter((file) => reachesAll.test(file));
  const selected = new Map<string, readonly string[]>();
  const omitted = all.map((file) => `${file} can reach every test`);
  const users: string[] = [];

  for (const [name, directory] of packages) {
    if (name === wholeRepository) continue;
    const tests = globSync('{src,test}/**/*.test.ts', { cwd: directory }).toSorted();
    const reached = reachingTests(graph, directory, tests, changes);
    if (reached.length === 0) continue;
    const isOwn = changes.some((file) => file.startsWith(`${directory}/`));
    if (!isOwn && changes.every((file) => isFoundation(ownerOf(file)))) {
      users.push(`${name} (${reached.length})`);
      continue;
    }
    const run =
      reached.length === tests.length
        ? reached
        : reached.filter((test) => !judgesOfSuite.has(basename(test)));
    selected.set(name, run);
    const rest = tests.length - run.length;
    if (rest > 0) omitted.push(`${rest} of ${tests.length} files of ${name}, which do not reach the change`);
  }
  if (users.length > 0)
    omitted.push(`users of ${[...owners].join(', ')}, with files that reach the change: ${users.join(', ')}`);
  omitted.push(`${wholeRepository}, and the tests of docs and bench, which run the programs of all packages`);
  return { selected, omitted };
}

function isFoundation(name: string | undefined): boolean {
  return name !== undefined && foundations.has(name);
}

/** The tests of a package that reach a change: paths from its directory. */
function reachingTests(
  graph: ImportGraph,
  directory: string,
  tests: readonly string[],
  changes: readonly string[],
): string[] {
  const isPartOfTests = (file: string) => /\.test\.ts$|\/test\//.test(file.slice(directory.length));
  const parts = new Map(
    tests.map((test) => {
      const files = graph.reached([join(directory, test)], isList);
      return [test, [...files].filter(isPartOfTests)] as const;
    }),
  );
  const uses = Map.groupBy([...parts.values()].flat(), (file) => file);
  const own = changes.filter((file) => file.startsWith(`${directory}/`));
  return tests.filter((test) => {
    const files = parts.get(test)!.filter((file) => uses.get(file)!.length <= tests.length / 2);
    const words = files.map((file) => graph.text(file)).join('\n');
    const reached = graph.reached(
      [join(directory, test)],
      (file, to) => isList(file) && !isUsed(file, to, words, graph),
    );
    return (
      changes.some((file) => reached.has(file)) ||
      own.some(
        (file) =>
          /^(?:package\.json|vitest\.config\.ts)$/.test(file.slice(directory.length + 1)) ||
          (!file.endsWith('.ts') && words.includes(basename(file))),
      )
    );
  });
}

/**
 * The files that list a server's definitions. A test whose text matches the pattern uses all definitions of
 * the list.
 */
const lists: Readonly<Record<string, RegExp>> = {
  'tools.ts': /\blistTools\b|\btools\.ts'/,
  'resources.ts': /resource|subscribe/i,
  'prompts.ts': /prompt/i,
};

function isList(file: string): boolean {
  return basename(dirname(file)) === 'src' && basename(file) in lists;
}

/** Whether a test with the text `words` uses a definition: it names the tool, or uses the whole list. */
function isUsed(list: string, definition: string, words: string, graph: ImportGraph): boolean {
  if (lists[basename(list)]!.test(words)) return true;
  if (basename(list) !== 'tools.ts') return false;
  const names = Array.from(graph.text(definition).matchAll(/^ +name: '(\w+)'/gm), ([, name = '']) => name);
  // In a test, a name of a tool follows a quote, a dot or an underscore; `import` and `export` stand
  // elsewhere too.
  return names.length === 0 || names.some((name) => new RegExp(`['"\`._]${name}\\b`).test(words));
}
