import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Channel, Receiver } from '../jsonrpc/channel.ts';
import { StreamChannel, type StreamOptions } from './stream-channel.ts';

export interface ServerCommand extends StreamOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string | undefined };
  readonly cwd?: string;
  /** Where the server's stderr goes; to this process's own unless said otherwise. */
  readonly stderr?: 'inherit' | 'ignore' | 'pipe';
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SpawnedServer {
  readonly channel: Channel;
  readonly child: ChildProcess;
  /** How the process ended; rejects if it could not be started. */
  readonly exited: Promise<Exit>;
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
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on('error', (error) => reject(notStarted(error, command, cwd)));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  const reason = exited.then(
    ({ code, signal }) => `"${command}" ended: ${signal ?? `exit code ${code}`}`,
    (error: Error) => error.message,
  );
  const channel = new ServerChannel(stdout, stdin, options, reason);
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

/** How long a process may live on after it has closed its stdout, before its end is told without a reason. */
const lingerMs = 500;

/** A channel whose end says what became of the process. */
class ServerChannel extends StreamChannel {
  readonly #reason: Promise<string>;

  constructor(stdout: Readable, stdin: Writable, options: StreamOptions, reason: Promise<string>) {
    super(stdout, stdin, options);
    this.#reason = reason;
  }

  override open(receiver: Receiver): void {
    super.open({
      message: (text) => receiver.message(text),
      malformed: (error) => receiver.malformed(error),
      ended: () => {
        let timer: NodeJS.Timeout | undefined;
        const lives = new Promise<void>((resolve) => (timer = setTimeout(resolve, lingerMs)));
        void Promise.race([this.#reason, lives]).then((reason) => {
          clearTimeout(timer);
          receiver.ended(reason ?? undefined);
        });
      },
    });
  }
}

function notStarted(error: Error & { code?: string }, command: string, cwd: string | undefined): Error {
  const where = cwd === undefined ? '' : `, or no directory "${cwd}"`;
  const why = error.code === 'ENOENT' ? `there is no such command${where}` : error.message;
  return new Error(`Cannot start "${command}": ${why}`, { cause: error });
}
