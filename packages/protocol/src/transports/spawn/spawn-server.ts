import { type ChildProcess, spawn } from 'node:child_process';
import { stackOf, within } from '@mcp/kit';
import type { Channel, Connector } from '../../jsonrpc/channel.ts';
import { ConnectionClosed } from '../../jsonrpc/error.ts';
import { openStderr } from '../stderr.ts';
import { serverEnvironment } from './environment.ts';
import { keepGroup, signalGroup } from './process-group.ts';
import { ServerChannel } from './server-channel.ts';
import { commandLine, type ServerCommand } from './server-command.ts';
import { StderrTail } from './stderr-tail.ts';
import { windowsCommand } from './windows-command.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server that runs as a child process. */
export interface SpawnedServer {
  readonly channel: Channel;
  readonly child: ChildProcess;
  /** How the process ended; rejects if it could not be started. */
  readonly exited: Promise<Exit>;
  /**
   * Closes the stdin of the server and waits for its exit. Sends SIGTERM after `graceMs`, and SIGKILL after
   * another `graceMs`. Default: `stopGraceMs` of the command.
   */
  stop(graceMs?: number): Promise<void>;
}

/** The error for a server that could not be started. */
export class ServerNotStarted extends ConnectionClosed {
  readonly phase = 'spawn';
}

const defaultStopGraceMs = 5_000;

/** Returns a connector that starts a command anew for each connection. */
export function serverCommand(command: ServerCommand): Connector {
  return {
    // Made only when needed: compiling the regular expressions of `commandLine` would delay the start.
    get name() {
      return commandLine(command);
    },
    open: () => spawnServer(command).channel,
  };
}

/**
 * Starts a server as a host does, in a process group of its own, and speaks with it over its stdin and
 * stdout.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export function spawnServer(server: ServerCommand): SpawnedServer {
  const { command, stopGraceMs = defaultStopGraceMs } = server;
  const child = start(server);
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error(`Cannot start "${command}": its stdin and stdout are no pipes`);
  const tail = followStderr(child, server);
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on('error', (error) => reject(notStarted(error, server)));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  keepGroup(child);
  const reason = reasonOf(exited, child, command, tail);
  const stop = async (graceMs = stopGraceMs) => {
    stdin.end();
    const timers = [
      setTimeout(() => signalGroup(child, 'SIGTERM'), graceMs),
      setTimeout(() => signalGroup(child, 'SIGKILL'), 2 * graceMs),
    ];
    await exited.catch(() => {});
    for (const timer of timers) clearTimeout(timer);
  };
  return { channel: new ServerChannel(stdout, stdin, server, { reason, stop }), child, exited, stop };
}

function start({ command, args = [], env, inheritEnv, cwd }: ServerCommand): ChildProcess {
  const windows = process.platform === 'win32';
  const program = windows
    ? windowsCommand(command, args, process.env['COMSPEC'])
    : { command, args, verbatim: false };
  return spawn(program.command, program.args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: serverEnvironment(env, inheritEnv),
    // The child leads a process group, so that all processes that it starts can be ended with it.
    detached: !windows,
    windowsHide: true,
    windowsVerbatimArguments: program.verbatim,
    ...(cwd !== undefined && { cwd }),
  });
}

function followStderr(child: ChildProcess, { stderr = 'inherit' }: ServerCommand): StderrTail {
  const tail = new StderrTail();
  let partial = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = chunk.toString('utf8');
    tail.add(text);
    if (stderr === 'inherit') openStderr().write(chunk);
    if (typeof stderr !== 'function') return;
    const lines = (partial + text).split('\n');
    partial = (lines.pop() ?? '').slice(-64 * 1024);
    for (const line of lines) {
      try {
        stderr(line);
      } catch (error) {
        openStderr().write(`The callback "stderr" has failed: ${stackOf(error)}\n`);
      }
    }
  });
  return tail;
}

/** How long stderr may still be read after the process has ended, in milliseconds. */
const stderrMs = 200;

/** The error for a server that has ended: says how it ended, with the last lines of its stderr. */
async function reasonOf(
  exited: Promise<Exit>,
  child: ChildProcess,
  command: string,
  tail: StderrTail,
): Promise<Error> {
  try {
    const { code, signal } = await exited;
    if (child.stderr && !child.stderr.readableEnded) {
      const closed = new Promise((resolve) => child.once('close', resolve));
      await within(stderrMs, closed, { unref: true });
    }
    const said = tail.text === '' ? '' : `; on stderr it wrote:\n${tail.text}`;
    return new ConnectionClosed(`"${command}" ended: ${signal ?? `exit code ${code}`}${said}`);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function notStarted(error: Error & { code?: string }, { command, cwd }: ServerCommand): Error {
  const where = cwd === undefined ? '' : `, or no directory "${cwd}"`;
  // If a directory of PATH is not readable, every missing command gives EACCES instead of ENOENT.
  const reasons: { readonly [code: string]: string } = {
    ENOENT: `there is no such command${where}`,
    EACCES: `there is no such command, or no permission to execute it${where}`,
  };
  const why = reasons[error.code ?? ''] ?? error.message;
  return new ServerNotStarted(`Cannot start "${command}": ${why}`, { cause: error });
}
