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
import { dirname, join, relative } from 'node:path';

const repository = join(import.meta.dirname, '../..');

interface Manifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * Files of the repository that the build and the tests of a copied server need, by their paths in the new
 * project.
 */
const shared: Readonly<Record<string, string>> = {
  LICENSE: 'LICENSE',
  'vitest.shared.ts': 'vitest.shared.ts',
  'scripts/bundle.ts': 'scripts/bundle.ts',
  'scripts/bundled-packages.ts': 'scripts/bundled-packages.ts',
  'scripts/build-for-tests.ts': 'scripts/build-for-tests.ts',
  'test/kit': 'packages/test-kit/src',
};

/**
 * The only workspace package whose sources are copied into a new project, which installs all others from npm.
 */
const testKit = '@mcp/test-kit';

/**
 * Copies a server of the repository as a template that needs npm packages only: its sources and tests with
 * the test kit and the bundler, a `package.json` with versions in place of references to the workspace,
 * and the reference part of its README. The tests in `test/packages` are not copied: they test packages of
 * the workspace through the server.
 */
export function packServer(name: string, target: string): void {
  const folder = join(repository, 'servers', name);
  mkdirSync(target, { recursive: true });
  for (const part of ['src', 'test', 'scripts', 'vitest.config.ts']) {
    if (existsSync(join(folder, part))) cpSync(join(folder, part), join(target, part), { recursive: true });
  }
  for (const [to, from] of Object.entries(shared)) {
    cpSync(join(repository, from), join(target, to), { recursive: true });
  }
  for (const path of globSync('{src,test}/**/*.ts', { cwd: target })) {
    replaceIn(join(target, path), `'${testKit}'`, `'${kitFrom(path)}'`);
  }
  replaceIn(
    join(target, 'vitest.config.ts'),
    `'${testKit}/files-in-memory'`,
    `'test/kit/files-in-memory.ts'`,
  );
  for (const [file, ...parts] of workspaceParts) {
    for (const part of parts) mustReplaceIn(join(target, file), part, '');
  }
  useSharedConfig(target);
  rmSync(join(target, 'test/kit/bundled-program.ts'));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  rmSync(join(target, 'test/packages'), { recursive: true, force: true });
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify(projectManifest(manifest, folder), null, 2)}\n`,
  );
  writeFileSync(
    join(target, 'README.md'),
    reference(readFileSync(join(folder, 'README.md'), 'utf8'), `servers/${name}`),
  );
}

/**
 * The parts to remove from copied files: they are about other packages of the workspace or about the
 * TypeScript sources of packages, and a new project has neither.
 */
const workspaceParts: readonly (readonly [file: string, ...parts: RegExp[]])[] = [
  ['vitest.shared.ts', /^.*'@mcp\/source'.*\n/m, /^ \* Workspace packages .*\n/m],
  [
    'scripts/bundle.ts',
    /^.*'@mcp\/source'.*\n/m,
    /(?<=are not bundled);\n +\/\/ those of the workspace are(?=\.\n)/,
    /\.filter\(.*'workspace:'\)\)/,
  ],
  [
    'scripts/build-for-tests.ts',
    /^ *\/\/ Turbo .*\n/m,
    / \|\| process\.env\['TURBO_HASH'\] !== undefined/,
    /^.*'\.\.\/\.\.\/packages.*\n.*'\.\.\/\.\.\/scripts.*\n/m,
  ],
];

/**
 * Adapts the Vitest config of the copied server. If it only re-exports the shared config, the shared file
 * takes its place; otherwise its import gets the new path of the shared file.
 */
function useSharedConfig(target: string): void {
  const [config, shared] = [join(target, 'vitest.config.ts'), join(target, 'vitest.shared.ts')];
  const isShared = /^export \{ default \} from/m.test(readFileSync(config, 'utf8'));
  if (isShared) renameSync(shared, config);
  else mustReplaceIn(config, '../../vitest.shared.ts', './vitest.shared.ts');
  // Removes the alias by which the tests use a worker bundled from a package's sources: an installed package
  // contains its bundled worker.
  replaceIn(config, /^import \{ bundledWorker \}.*\n/m, '');
  replaceIn(config, /^const server = .*bundledWorker.*\n\n/m, '');
  replaceIn(config, /\.\.\.server, /g, '...shared, ');
}

/** The specifier of the copied test kit in a file of the project. */
function kitFrom(path: string): string {
  const found = relative(dirname(path), 'test/kit/index.ts').replaceAll('\\', '/');
  return found.startsWith('.') ? found : `./${found}`;
}

function projectManifest(manifest: Manifest, folder: string): object {
  const { scripts, dependencies = {}, devDependencies } = manifest;
  const versions = Object.fromEntries(
    Object.keys({ ...devDependencies, ...dependencies })
      .filter((name) => name !== testKit)
      .map((name) => [
        name,
        `^${name.startsWith('@mcp/') ? manifest.version : installedVersion(name, folder)}`,
      ]),
  );
  const own = (name: string) => name.startsWith('@mcp/') || name === 'zod' || name in dependencies;
  const pick = (wanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(versions).filter(([name]) => wanted(name)));
  return {
    ...manifest,
    // The build need not bundle the program of another package: the installed package contains it.
    scripts: {
      ...scripts,
      build: scripts['build']!.replaceAll('../../scripts/', 'scripts/').replace(/ \w+=\.\.\S+/, ''),
    },
    dependencies: pick(own),
    devDependencies: {
      ...pick((name) => !own(name)),
      esbuild: `^${installedVersion('esbuild', repository)}`,
    },
  };
}

function installedVersion(name: string, folder: string): string {
  const file = join(folder, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/**
 * The sections of a README about tools, resources and prompts. Relative links become absolute, because the
 * files to which they lead are not copied.
 */
function reference(readme: string, folder: string): string {
  const [, ...sections] = readme.split(/^(?=## )/m);
  return sections
    .filter((section) => /^## (?:Tools|Resources|Prompts)\n/.test(section))
    .join('')
    .replace(/\]\((?!https?:|#)([^)]+)\)/g, (_, path: string) => {
      const { href } = new URL(path, `https://github.com/mcp-reference/servers/blob/main/${folder}/`);
      return `](${href})`;
    });
}

function replaceIn(file: string, found: string | RegExp, by: string): boolean {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(found, by);
  if (after !== before) writeFileSync(file, after);
  return after !== before;
}

function mustReplaceIn(file: string, found: string | RegExp, by: string): void {
  if (!replaceIn(file, found, by)) throw new Error(`${file} does not contain ${found}`);
}
