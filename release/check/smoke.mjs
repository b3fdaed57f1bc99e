// Installs the tarballs of a directory with npm, starts each program and makes a handshake.
// Plain JavaScript, for any Node that the packages promise: `node release/check/smoke.mjs <directory>`
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [directory = 'tarballs'] = process.argv.slice(2);
const tarballs = readdirSync(directory)
  .filter((name) => name.endsWith('.tgz'))
  .map((name) => resolve(directory, name));
const [major, minor] = process.versions.node.split('.').map(Number);
const base = mkdtempSync(join(tmpdir(), 'mcp-smoke-'));
const world = join(base, 'world');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Each server with its arguments and the oldest Node that it promises. */
const servers = [
  { name: 'filesystem', args: [world], oldest: [20, 19] },
  { name: 'git', args: [world], oldest: [20, 19] },
  { name: 'sqlite', args: [join(world, 'a.db')], oldest: [22, 0] },
  { name: 'weather', args: ['--demo'], oldest: [20, 19] },
  { name: 'run', args: [join(base, 'commands.json')], oldest: [20, 19] },
];

try {
  mkdirSync(world);
  writeFileSync(join(world, 'a.db'), '');
  writeFileSync(join(base, 'commands.json'), '{ "writable": [], "commands": {} }');
  execFileSync('git', ['init', '--quiet'], { cwd: world });
  writeFileSync(join(base, 'package.json'), '{ "private": true }\n');
  execFileSync(npm, ['install', '--no-audit', '--no-fund', ...tarballs], {
    cwd: base,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  for (const { name, args, oldest } of servers) {
    const promised = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
    const program = join(base, `node_modules/@mcp/server-${name}/dist/main.cjs`);
    const { line, errors } = await firstAnswer(program, args);
    if (promised && JSON.parse(line).result?.serverInfo === undefined) throw new Error(`${name}: ${line}`);
    if (!promised && !/Node/.test(errors))
      throw new Error(`${name} does not name the Node it needs: ${errors}`);
    console.log(`server-${name}: ${promised ? 'answers' : 'names the Node that it needs'}`);
  }
  const host = join(base, 'node_modules/@mcp/host/dist/main.cjs');
  console.log(`${execFileSync(process.execPath, [host, '--version'], { encoding: 'utf8' }).trim()}`);
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** The answer of a server to `initialize`, and what it wrote to stderr. */
function firstAnswer(program, args) {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'smoke', version: '1' },
  };
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  let line = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (line += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  return new Promise((ended) => child.once('close', () => ended({ line, errors })));
}
