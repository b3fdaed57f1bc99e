import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { sourceParts } from './src/source-parts.ts';

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
  'scripts/build.js': 'packages/create-server/copied/build.js',
  'scripts/build-for-tests.ts': 'packages/create-server/copied/build-for-tests.ts',
  'test/kit': 'packages/test-kit/src',
};

/**
 * The only workspace package whose sources are copied into a new project, which installs all others from npm.
 */
const testKit = '@mcp/test-kit';

/**
 * Copies a server of the repository as a template that needs npm packages only: its sources and tests with
 * the part of the test kit that they use and a build script, a `package.json` with versions in place of
 * references to the workspace, and the parts of its README that a copy needs. The tests in `test/packages`
 * are not copied: they test packages of the workspace through the server.
 */
export function packServer(name: string, target: string): void {
  const folder = join(repository, 'servers', name);
  mkdirSync(target, { recursive: true });
  for (const part of ['src', 'test', 'scripts', 'skills', 'view', 'vitest.config.ts']) {
    if (existsSync(join(folder, part))) cpSync(join(folder, part), join(target, part), { recursive: true });
  }
  for (const [to, from] of Object.entries(shared)) {
    cpSync(join(repository, from), join(target, to), { recursive: true });
  }
  rmSync(join(target, 'test/packages'), { recursive: true, force: true });
  refuseUnknownParts(name, join(target, 'src'));
  removeUnusedKit(target);
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
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  keepView(target);
  seedProperties(target, 'fast-check' in manifest.devDependencies);
  useSharedConfig(target);
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify(projectManifest(manifest, folder), null, 2)}\n`,
  );
  writeFileSync(
    join(target, 'README.md'),
    readmeParts(readFileSync(join(folder, 'README.md'), 'utf8'), `servers/${name}`),
  );
}

/**
 * The parts to remove from copied files: they are about other packages of the workspace or about the
 * TypeScript sources of packages, and a new project has neither.
 */
const workspaceParts: readonly (readonly [file: string, ...parts: RegExp[]])[] = [
  ['vitest.shared.ts', /^.*'@mcp\/source'.*\n/m, /^ \* Workspace packages .*\n/m],
];

/** Copies what bundles the pages of a view, or removes their part of the build of a server without one. */
function keepView(target: string): void {
  const [build, bundler] = [join(target, 'scripts/build.js'), 'scripts/bundle-page.ts'];
  if (existsSync(join(target, 'view'))) {
    cpSync(join(repository, bundler), join(target, bundler));
    mustReplaceIn(join(target, 'view/tsconfig.json'), '../../../tsconfig.base.json', '../tsconfig.json');
    return;
  }
  mustReplaceIn(build, /^import (?:\{ globSync|\{ basename|\{ bundlePage).*\n/gm, '');
  mustReplaceIn(build, /^\n\/\/ The views [^]*$/m, '');
}

/** Copies the seed of tests that generate values, or removes it from the config of a server without such. */
function seedProperties(target: string, hasProperties: boolean): void {
  const file = 'scripts/seed-properties.ts';
  if (hasProperties) return cpSync(join(repository, file), join(target, file));
  const config = join(target, 'vitest.shared.ts');
  for (const part of [
    /^import \{ readFileSync \}.*\n/m,
    /^const \{ devDependencies[^]*?^\};\n\n/m,
    /^ *setupFiles:[^]*?: \[\],\n/m,
  ]) {
    mustReplaceIn(config, part, '');
  }
}

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

/**
 * Removes the exports of the copied test kit that no file of the server imports, and the files of no use
 * then.
 */
function removeUnusedKit(target: string): void {
  const kit = join(target, 'test/kit');
  const texts = globSync(['{src,test}/**/*.ts', 'vitest.config.ts'], { cwd: target })
    .filter((path) => !path.startsWith(join('test', 'kit')))
    .map((path) => readFileSync(join(target, path), 'utf8'));
  const imported = texts.flatMap((text) => {
    const lists = Array.from(text.matchAll(/import ([^;]*?) from '@mcp\/test-kit';/g), ([, list]) => list!);
    return lists.flatMap((list) => list.match(/\w+/g) ?? []).filter((word) => word !== 'type');
  });
  const index = join(kit, 'index.ts');
  const kept = readFileSync(index, 'utf8')
    .split('\n')
    .filter((line) => (line.match(/\w+(?=[,\s])/g) ?? []).some((name) => imported.includes(name)));
  writeFileSync(index, `${kept.join('\n')}\n`);

  const used = new Set(['index.ts']);
  if (texts.some((text) => text.includes(`'${testKit}/files-in-memory'`))) used.add('files-in-memory.ts');
  // A file that is added here is visited by the same loop.
  for (const file of used) {
    const text = readFileSync(join(kit, file), 'utf8');
    for (const [, next] of text.matchAll(/(?:from '\.\/|new URL\(')([^']+)'/g)) used.add(next!);
  }
  for (const file of readdirSync(kit).filter((each) => !used.has(each))) rmSync(join(kit, file));
}

/** Throws an error if the README of a copy would not say what a file or folder in its `src` is. */
function refuseUnknownParts(name: string, sources: string): void {
  const unknown = readdirSync(sources).filter((entry) => !(entry in sourceParts));
  if (unknown.length === 0) return;
  throw new Error(
    `servers/${name}/src/${unknown[0]} is not in sourceParts of src/source-parts.ts; describe it`,
  );
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
    // The build bundles no program of another package, such as a worker: the installed package contains it.
    scripts: {
      ...scripts,
      build: scripts['build']!.replace(
        /node \.\.\/\.\.\/scripts\/bundle\.ts( \w+=\S+)?/,
        `${existsSync(join(folder, 'view')) ? 'tsc -p view && ' : ''}node scripts/build.js`,
      ),
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

/** The sections of the READMEs that are about what a copy has too. */
const copiedSections = /^## (?:The commands|Tools|Keep|Queries of your own|Resources|Prompts)\n/;

/**
 * The parts of a README that are about what a copy has too: the table of its options, its tools, resources
 * and prompts, and what these refer to. Relative links become absolute, because the files to which they lead
 * are not copied.
 */
function readmeParts(readme: string, folder: string): string {
  const [intro = '', ...sections] = readme.split(/^(?=## )/m);
  const [options] = /^\| option .*\n(?:\|.*\n)+/m.exec(intro) ?? [];
  if (options === undefined) throw new Error(`${folder}/README.md has no table of options`);
  const copied = sections.filter((section) => copiedSections.test(section)).join('');
  if (/\blist of (?:these )?tools (?:then )?has\b/.test(copied))
    throw new Error(`${folder}/README.md: the size of the list of tools is in a section that copies get`);
  return `## Options\n\n${options}\n${copied}`.replace(/\]\((?!https?:|#)([^)]+)\)/g, (_, path: string) => {
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
