import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import type { Packed } from './pack.ts';

/** A new project: its template, and the package manager that installs it. */
const projects = [
  { template: 'minimal', language: 'ts', manager: 'npm' },
  { template: 'minimal', language: 'js', manager: 'pnpm' },
  { template: 'notes', language: 'ts', manager: 'yarn' },
] as const;

const commands = {
  npm: ['npm'],
  pnpm: ['pnpm', '--ignore-workspace'],
  yarn: ['npx', '--yes', '--package=@yarnpkg/cli-dist@4', 'yarn'],
} as const;

const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
const env = {
  ...process.env,
  YARN_NODE_LINKER: 'node-modules',
  YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  YARN_ENABLE_TELEMETRY: '0',
  YARN_NPM_REGISTRY_SERVER: registry,
};

/**
 * Creates projects with the packed `@mcp/create-server`, and installs, lints, builds, tests and starts each with the
 * packages that are unpacked in `consumer`. The host lists their tools from the configuration of the project. Throws when
 * a step fails.
 */
export async function checkNewProjects(
  packages: readonly Packed[],
  consumer: string,
  projectsDirectory: string,
): Promise<void> {
  const modules = join(consumer, 'node_modules/@mcp');
  for (const { template, language, manager } of projects) {
    const started = performance.now();
    const name = `${template}-${language}`;
    const directory = join(projectsDirectory, name);
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, {
        cwd: directory,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
        encoding: 'utf8',
      });
    execFileSync(
      process.execPath,
      [join(modules, 'create-server/dist/main.cjs'), directory, '--from', template, '--language', language],
      { stdio: 'ignore' },
    );
    const manifest = join(directory, 'package.json');
    useTarballs(manifest, packages);
    const [command, ...before] = commands[manager];
    const lints = installed(() => run(command, ...before, 'install'), manifest);
    if (lints) run(command, ...before, 'run', 'lint');
    if (language === 'ts') run(command, ...before, 'run', 'build');
    run(command, ...before, 'run', 'test');
    const { mcpServers } = JSON.parse(readFileSync(join(directory, '.mcp.json'), 'utf8')) as {
      mcpServers: Record<string, { args: string[] }>;
    };
    const { args } = mcpServers[name]!;
    const client = await Client.connect(serverCommand({ command: process.execPath, args, cwd: directory }));
    const [tool] = await client.listTools();
    await client.close();
    const listed = run(process.execPath, join(modules, 'host/dist/main.cjs'), 'tools', name, '--yes');
    if (!tool || !listed.includes(tool.name))
      throw new Error(`${name}: mcp does not list its tools: ${listed}`);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`A new project from ${template} (${language}) with ${manager}: listed after ${seconds} s`);
  }
}

/**
 * Installs a project. Yarn resolves the packages for every system, of which a mirror of the registry may lack one;
 * then the project is installed without its linter. Returns whether the linter is installed.
 */
function installed(install: () => string, file: string): boolean {
  try {
    install();
    return true;
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    const [missing] = /@oxlint\/\S+: No candidates found/.exec(stdout) ?? [];
    if (missing === undefined) throw error;
    console.log(`Skipped: the linter of the project, because the registry lacks a package: ${missing}`);
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { devDependencies: Record<string, string> };
    delete manifest.devDependencies['oxlint'];
    writeFileSync(file, JSON.stringify(manifest, null, 2));
    install();
    return false;
  }
}

/** Lets a project install the tarballs in place of published versions. */
function useTarballs(file: string, packages: readonly Packed[]): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> };
  for (const { name, tarball } of packages) {
    if (manifest.dependencies[name]) manifest.dependencies[name] = `file:${tarball}`;
  }
  writeFileSync(file, JSON.stringify(manifest, null, 2));
}
