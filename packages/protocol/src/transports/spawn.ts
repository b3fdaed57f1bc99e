import { type ChildProcess, spawn } from 'node:child_process';
import type { Channel } from '../jsonrpc/channel.ts';
import { StreamChannel, type StreamOptions } from './stream-channel.ts';

export interface ServerCommand extends StreamOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string | undefined };
  readonly cwd?: string;
  /** Where the server's stderr goes; to this process's own unless said otherwise. */
  readonly stderr?: 'inherit' | 'ignore' | 'pipe';
}

export interface SpawnedServer {
  readonly channel: Channel;
  readonly child: ChildProcess;
  /** How the process ended; rejects if it could not be started. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Closes its stdin and waits; after `graceMs` asks it to stop, then makes it. */
  stop(graceMs?: number): Promise<void>;
}

/** Starts a server as a host does and speaks with it over its stdin and stdout. */
export function spawnServer({
  command,
  args = [],
  env,
  cwd,
  stderr = 'inherit',
  ...options
}: ServerCommand): SpawnedServer {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', stderr],
    ...(env && { env: { ...process.env, ...env } }),
    ...(cwd !== undefined && { cwd }),
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error(`Cannot start "${command}" with pipes for its stdin and stdout`);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  exited.catch(() => {});
  const channel = new StreamChannel(stdout, stdin, options);
  return {
    channel,
    child,
    exited,
    async stop(graceMs = 6_000) {
      stdin.end();
      const kill = setTimeout(() => {
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
      }, graceMs);
      await exited.catch(() => {});
      clearTimeout(kill);
    },
  };
}
