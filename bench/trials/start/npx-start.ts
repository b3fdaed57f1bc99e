import { execFileSync, type ExecFileSyncOptionsWithStringEncoding, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initialize, received } from '../../child.ts';
import type { Program, Trial } from '../../trial.ts';

const base = mkdtempSync(join(tmpdir(), 'bench-npx-'));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));
const allowed = join(base, 'allowed');

/** A command and its arguments, run where the package is installed. */
const npx: Program = { args: ['npx', '-y', '@mcp/server-filesystem', allowed] };
const installed: Program = { args: [join(base, 'node_modules/.bin/mcp-server-filesystem'), allowed] };
const node: Program = { args: ['node', '-e', '0'] };

export const npxStart: Trial = {
  name: 'npx-start',
  about:
    'From spawn to the answer to initialize, for the filesystem server that npm has installed: through npx, as ' +
    'configurations of hosts have it, and by its program, as after npm install -g; bare node to its exit',
  implementations: { npx, program: installed, 'node -e 0': node },
  columns: ['ms'],
  runs: 11,
  async prepare() {
    mkdirSync(allowed);
    writeFileSync(join(base, 'package.json'), '{ "private": true }\n');
    const server = fileURLToPath(new URL('../../../servers/filesystem', import.meta.url));
    const options: ExecFileSyncOptionsWithStringEncoding = {
      cwd: server,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    };
    const tarball = execFileSync(
      'npm',
      ['pack', '--ignore-scripts', '--pack-destination', base],
      options,
    ).trim();
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
      ...options,
      cwd: base,
    });
    // Node fills its compile cache when a process ends.
    await measure(installed);
  },
  measure,
  goals: [
    // A server cannot make npm start faster: the ratio is only printed.
    { column: 'ms', of: 'npx', to: 'program' },
    { column: 'ms', of: 'program', to: 'node -e 0', atMost: 1.5 },
  ],
};

async function measure(program: Program): Promise<readonly number[]> {
  const [command = '', ...args] = program.args;
  const started = performance.now();
  const child = spawn(command, args, { cwd: base, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (program === node) {
    await ended;
    return [performance.now() - started];
  }
  const ready = received(child, 1);
  child.stdin.write(initialize);
  await ready;
  const ms = performance.now() - started;
  child.stdin.end();
  await ended;
  return [ms];
}
