import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { checkDockerfile } from './check-dockerfiles.ts';
import { type Packed, repository } from '../pack/pack.ts';
import { servePackages } from '../registries/package-registry.ts';
import { run as execute } from '../run.ts';

/** A new project: its template, the package manager that installs it, and what it runs. */
interface NewProject {
  readonly template: string;
  readonly language: 'ts' | 'js';
  readonly manager: keyof typeof commands;
  /** The test files that are run, of a whole server; the others are those of the repository, unchanged. */
  readonly tests?: readonly string[];
}

const commands = {
  npm: ['npm'],
  pnpm: ['pnpm'],
  yarn: ['npx', '--yes', '--package=@yarnpkg/cli-dist@4', 'yarn'],
} as const;

// The longest first: two are made at a time.
const published = 'test/published.test.ts';
const projects: readonly NewProject[] = [
  { template: 'minimal', language: 'ts', manager: 'yarn' },
  { template: 'sqlite', language: 'ts', manager: 'npm', tests: [published, 'src/resources'] },
  { template: 'filesystem', language: 'ts', manager: 'npm', tests: [published, 'src/resources'] },
  { template: 'git', language: 'ts', manager: 'npm', tests: [published, 'src/resources'] },
  { template: 'weather', language: 'ts', manager: 'npm', tests: [published, 'src/resources'] },
  { template: 'run', language: 'ts', manager: 'npm', tests: [published, 'src/resources'] },
  { template: 'minimal', language: 'ts', manager: 'pnpm' },
  { template: 'minimal', language: 'ts', manager: 'npm' },
  { template: 'notes', language: 'ts', manager: 'npm' },
  { template: 'minimal', language: 'js', manager: 'npm' },
];

/**
 * Creates projects with `npm create` from a registry that has the packed packages, and installs, lints,
 * builds, tests and starts each. The host lists their tools from the configuration of the project.
 * `allTests` runs all tests of the whole servers, which takes minutes. Throws when a step fails.
 */
export async function checkNewProjects(
  packages: readonly Packed[],
  base: string,
  allTests: boolean,
): Promise<void> {
  mkdirSync(base);
  await using registry = await servePackages(packages);
  const [cache = '', usual = '', authorities = ''] = await Promise.all(
    ['cache', 'registry', 'cafile'].map(async (key) =>
      (await execute(['npm', 'config', 'get', key], { cwd: base, env: process.env })).trim(),
    ),
  );
  const settings: Settings = { base, registry: registry.url, usual, authorities, allTests };
  // npx keeps installed programs by name and version: it must not run those of an earlier check.
  mkdirSync(join(base, 'cache'));
  mkdirSync(join(cache, '_cacache'), { recursive: true });
  symlinkSync(join(cache, '_cacache'), join(base, 'cache/_cacache'), 'junction');
  writeRegistry(base, settings);
  const waiting = [...projects];
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await checkNewProject(next, settings);
  };
  await Promise.all([take(), take()]);
}

interface Settings {
  readonly base: string;
  /** The registry of the packed packages. */
  readonly registry: string;
  /** The registry of all other packages. */
  readonly usual: string;
  /** The file of npm's certificate authorities; `null` if npm uses those of Node. */
  readonly authorities: string;
  readonly allTests: boolean;
}

async function checkNewProject(project: NewProject, settings: Settings): Promise<void> {
  const { template, language, manager, tests = [] } = project;
  const started = performance.now();
  const name = `${template}-${language}-${manager}`;
  const directory = join(settings.base, name);
  const run = runIn(directory, settings);
  const create = ['create', '--yes', '@mcp/server', name, '--', '--from', template, '--language', language];
  await runIn(settings.base, settings)('npm', ...create);
  checkDockerfile(join(directory, 'Dockerfile'));
  writeRegistry(directory, settings);
  pinVite(directory);
  const [command, ...before] = commands[manager];
  const lints = await installed(() => run(command, ...before, 'install'), join(directory, 'package.json'));
  if (lints) await run(command, ...before, 'run', 'lint');
  if (language === 'ts') await run(command, ...before, 'run', 'build');
  // As `npm run dev` starts it.
  if (template === 'minimal') await run('node', `src/main.${language}`, '--version');
  const some = tests.length > 0 && !settings.allTests;
  await (some ? run('npx', 'vitest', 'run', ...tests) : run(command, ...before, 'run', 'test'));
  const { mcpServers } = JSON.parse(readFileSync(join(directory, '.mcp.json'), 'utf8')) as {
    mcpServers: Record<string, { args: string[] }>;
  };
  const { args } = mcpServers[name]!;
  const client = await Client.connect(serverCommand({ command: process.execPath, args, cwd: directory }));
  const [tool] = await client.listTools();
  await client.close();
  const listed = await run('npx', '--yes', '@mcp/host', 'tools', name, '--yes');
  if (!tool || !listed.includes(tool.name))
    throw new Error(`${name}: mcp does not list its tools: ${listed}`);
  const readme = readFileSync(join(directory, 'README.md'), 'utf8');
  const [, words = ''] = /^npx @mcp\/host call (.*)$/m.exec(readme)!;
  if (/^git init$/m.test(readme)) await run('git', 'init', '--quiet');
  await run('npx', '--yes', '@mcp/host', '--yes', 'call', ...words.split(' '));
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`A new project from ${template} (${language}) with ${manager}: listed after ${seconds} s`);
}

function runIn(directory: string, { base, usual, authorities }: Settings) {
  const env = {
    ...process.env,
    npm_config_cache: join(base, 'cache'),
    XDG_STATE_HOME: join(base, 'state'),
    YARN_NODE_LINKER: 'node-modules',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_NPM_REGISTRY_SERVER: usual,
    ...(isAbsolute(authorities) && { YARN_HTTPS_CA_FILE_PATH: authorities }),
  };
  return (...command: readonly [string, ...string[]]) => execute(command, { cwd: directory, env });
}

/** Lets npm, pnpm and yarn take the scope from the registry. */
function writeRegistry(directory: string, { registry }: Settings): void {
  writeFileSync(join(directory, '.npmrc'), `@mcp:registry=${registry}\n`);
  writeFileSync(
    join(directory, '.yarnrc.yml'),
    `npmScopes:\n  mcp:\n    npmRegistryServer: '${registry}'\nunsafeHttpWhitelist: ['127.0.0.1']\n`,
  );
}

/**
 * Makes the project use the Vite of this repository, which Vitest needs: a mirror of the registry may have a
 * new release of Vite before the packages that it depends on.
 */
function pinVite(directory: string): void {
  const [, vite = ''] = /^ {2}vite@([\d.]+)/m.exec(readFileSync(join(repository, 'pnpm-lock.yaml'), 'utf8'))!;
  const file = join(directory, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { devDependencies: Record<string, string> };
  if (manifest.devDependencies['vite']) manifest.devDependencies['vite'] = vite;
  writeFileSync(file, JSON.stringify({ ...manifest, overrides: { vite }, resolutions: { vite } }, null, 2));
  appendFileSync(join(directory, 'pnpm-workspace.yaml'), `\noverrides:\n  vite: ${vite}\n`);
}

/**
 * Installs a project. Yarn resolves the packages for every system, of which a mirror of the registry may lack
 * one; then the project is installed without its linter. Returns whether the linter is installed.
 */
async function installed(install: () => Promise<string>, file: string): Promise<boolean> {
  try {
    await install();
    return true;
  } catch (error) {
    const { message } = error as Error;
    const [missing] = /@oxlint\/\S+: No candidates found/.exec(message) ?? [];
    if (missing === undefined) throw error;
    console.log(`Skipped: the linter of the project, because the registry lacks a package: ${missing}`);
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { devDependencies: Record<string, string> };
    delete manifest.devDependencies['oxlint'];
    writeFileSync(file, JSON.stringify(manifest, null, 2));
    await install();
    return false;
  }
}
