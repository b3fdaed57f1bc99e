import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// Creates a server in this repository from another one: `pnpm new <name> [--from <template>]`

const repository = fileURLToPath(new URL('..', import.meta.url));

/** The folder of each template; all but `minimal` are whole packages. */
const templates: Readonly<Record<string, string>> = {
  minimal: 'packages/create-server/templates/minimal-ts',
  notes: 'examples/notes',
  filesystem: 'servers/filesystem',
  git: 'servers/git',
  sqlite: 'servers/sqlite',
  weather: 'servers/weather',
  run: 'servers/run',
};

const usage = `Usage: pnpm new <name> [--from ${Object.keys(templates).join('|')}]`;
const { values, positionals } = parsed();
const [name] = positionals;
const template = templates[values.from];
if (name === undefined || positionals.length > 1) fail(usage);
if (!/^[a-z][a-z0-9-]*$/.test(name)) {
  fail(`Invalid name: "${name}"; expected lower case letters, digits and "-"`);
}
if (template === undefined) {
  fail(`Unknown template: "${values.from}"; expected one of ${Object.keys(templates).join(', ')}`);
}
const folder = join(repository, 'servers', name);
if (existsSync(folder)) fail(`servers/${name} exists already; choose another name or delete it`);

copyTracked(template);
const minimal = values.from === 'minimal';
if (minimal) writeShared();
const manifest = minimal ? minimalManifest() : JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
manifest.name = `@mcp/server-${name}`;
manifest.description = `Model Context Protocol server for ${name}`;
manifest.bin = { [`mcp-server-${name}`]: 'dist/main.cjs' };
delete manifest.mcpName;
if (manifest.repository) manifest.repository.directory = `servers/${name}`;
write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
write('README.md', readme());
console.log(`Created servers/${name} from ${values.from}. Next:

  npx --yes pnpm@12.21.0 install
  npx --yes pnpm@12.21.0 --dir servers/${name} test
  npx --yes pnpm@12.21.0 build
  node packages/host/dist/main.cjs tools -- node servers/${name}/dist/main.cjs

Before a pull request, run \`npx --yes pnpm@12.21.0 format\`, and give it a configuration in the README of the repository, which
a test requires.`);

/** An unknown option, such as `--help`, prints the usage. */
function parsed() {
  try {
    return parseArgs({ options: { from: { type: 'string', default: 'minimal' } }, allowPositionals: true });
  } catch {
    return fail(usage);
  }
}

/**
 * Copies what git tracks, and new files, but no build and no installed package. Leaves out `test/packages/`,
 * where tests use the server to check a package.
 */
function copyTracked(from: string): void {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', from],
    { cwd: repository, encoding: 'utf8' },
  );
  for (const path of listed.split('\0').filter((each) => each !== '' && existsSync(join(repository, each)))) {
    const own = path.slice(from.length + 1);
    if (['CHANGELOG.md', 'README.zh-CN.md', 'server.json'].includes(own)) continue;
    if (own.startsWith('test/packages/')) continue;
    const target = join(folder, own);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(repository, path), target);
  }
}

/** The settings that every package of the workspace has. */
function writeShared(): void {
  for (const file of ['tsconfig.json', 'vitest.config.ts']) {
    write(file, readFileSync(join(repository, 'examples/notes', file), 'utf8'));
  }
}

function minimalManifest() {
  const { version, license, engines, type, files, scripts, devDependencies } = JSON.parse(
    readFileSync(join(repository, 'examples/notes/package.json'), 'utf8'),
  );
  return { name, version, description: '', license, bin: {}, files, type, scripts, devDependencies, engines };
}

/** The README of a whole server under the new name, since tests compare it with what the server publishes. */
function readme(): string {
  const file = join(folder, 'README.md');
  if (values.from === 'notes' || !existsSync(file)) {
    return `# @mcp/server-${name}\n\nA Model Context Protocol server for ${name}.\n`;
  }
  return readFileSync(file, 'utf8')
    .replace('[简体中文](README.zh-CN.md)\n\n', '')
    .replaceAll(`server-${values.from}`, `server-${name}`);
}

function write(path: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, path), text);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
