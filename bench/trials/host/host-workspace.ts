import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from '../../trial.ts';

/** The file of a peer's program. Its package exports none of them. */
function programOf(name: string, path: string): string {
  return fileURLToPath(new URL(`../../node_modules/${name}/${path}`, import.meta.url));
}

/** The commands of hosts, each as a program for node. */
export const hosts = {
  ours: fileURLToPath(new URL('../../../packages/host/dist/main.cjs', import.meta.url)),
  mcporter: programOf('mcporter', 'dist/cli.js'),
  Inspector: programOf('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js'),
  mcpc: programOf('@apify/mcpc', 'bin/mcpc'),
} as const;

/** A home directory of its own, with a configuration file and a text file. */
export class HostWorkspace implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'bench-host-'));
  readonly config = join(this.directory, 'mcp.json');
  readonly text = join(this.directory, 'a.txt');

  constructor(mcpServers: (directory: string) => object) {
    writeFileSync(this.text, 'hello');
    writeFileSync(this.config, JSON.stringify({ mcpServers: mcpServers(this.directory) }));
  }

  /** A command of a host, with what it keeps below this directory. */
  command(host: keyof typeof hosts, ...args: readonly string[]): Program {
    const { directory } = this;
    return {
      args: [hosts[host], ...args],
      env: {
        HOME: directory,
        XDG_STATE_HOME: join(directory, 'state'),
        XDG_CACHE_HOME: join(directory, 'cache'),
        MCP_INSPECTOR_SECRET_STORE: 'memory',
      },
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Starts a command in the directory of its workspace, which the official server takes for its root. */
function run({ args, env }: Program) {
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
    cwd: env?.['HOME'],
  });
}

/** Runs a command until its stdout has every one of `texts`; returns the milliseconds, and the process. */
export async function untilPrinted(
  program: Program,
  texts: readonly string[],
): Promise<{ readonly ms: number; readonly child: ChildProcess }> {
  const started = performance.now();
  const child = run(program);
  let printed = '';
  const ms = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
      if (texts.every((text) => printed.includes(text))) resolve(performance.now() - started);
    });
    child.once('exit', () => reject(new Error(`${program.args.join(' ')} ended; it printed: ${printed}`)));
  });
  return { ms, child };
}

/** Milliseconds until a command has ended. */
export async function untilEnded(program: Program): Promise<number> {
  const started = performance.now();
  const child = run(program);
  child.stdout.resume();
  await once(child, 'exit');
  return performance.now() - started;
}
