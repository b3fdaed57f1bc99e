import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, within } from '@mcp/kit';
import { OrphanGuard } from '@mcp/kit/node';
import { openPipe } from './open-pipe.ts';
import { anyRuns, type Processes, signalAll } from './left-processes.ts';
import { nextMark, ownMark } from './mark.ts';

export interface ProcessRun {
  /** The absolute path of the program, followed by its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  /** A directory for the named pipe that carries the output. Only this user can write to it. */
  readonly directory: string;
  /** Where helper programs are searched for, as in PATH. The agent can write to none of these directories. */
  readonly search: string;
  readonly timeoutMs: number;
  /** Aborts when the caller no longer needs the result. */
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the process was stopped; undefined if it ended by itself. */
  readonly stopped: 'timeout' | 'cancelled' | undefined;
}

const graceMs = 2_000;
/** For how many milliseconds SIGKILL is repeated, because a process may start another one before it dies. */
const killingMs = 5_000;
/** How many milliseconds pass between two checks whether processes still run. */
const pollMs = 50;
/** How many milliseconds the rest of the output is read after the last process has ended. */
const drainMs = 1_000;

const shell = '/bin/sh';
/**
 * A shell script that waits for a line before it starts the program. The server writes the line when the
 * guard, a process that kills the process group if the server is killed, knows the group. If the server is
 * killed before it writes the line, the program never starts.
 */
const gate = 'read -r line && exec "$@" </dev/null';
const hasShell = process.platform !== 'win32' && existsSync(shell);

const running = new Set<Processes>();
let guard: OrphanGuard | undefined;

/**
 * Runs a program to its end, without stdin, as the leader of a process group. When the promise resolves, no
 * process of the run is left. Rejects if the program cannot be started.
 */
export async function runProcess(run: ProcessRun): Promise<Ended> {
  run.signal.throwIfAborted();
  const pipe = hasShell ? await openPipe(run.directory, run.search) : undefined;
  const mark = nextMark();
  let child: ChildProcess;
  try {
    child = start(run, pipe?.writer ?? 'pipe', mark);
  } catch (error) {
    pipe?.reader.destroy();
    throw startError(error);
  } finally {
    if (pipe) closeSync(pipe.writer);
  }
  const streams = pipe ? [pipe.reader] : [child.stdout!, child.stderr!];
  const ends = streams.map(
    (stream) =>
      new Promise<void>((resolve) =>
        stream
          .on('data', run.onOutput)
          .once('close', resolve)
          .on('error', () => {}),
      ),
  );
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', (error) => reject(startError(error)));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (child.pid === undefined) {
    for (const stream of streams) stream.destroy();
    await exited;
  }
  const processes: Processes = { group: child.pid!, mark: `${mark.name}=${mark.value}` };
  register(processes, run.search);
  child.stdin?.on('error', () => {}).end('\n');
  try {
    const stopped = await waitOrStop(exited, processes, run);
    const ended = await exited;
    await endAll(processes);
    await within(drainMs, Promise.all(ends));
    return { ...ended, stopped };
  } finally {
    for (const stream of streams) stream.destroy();
    running.delete(processes);
    guard?.remove(processes.group);
  }
}

function start(run: ProcessRun, output: number | 'pipe', mark: ReturnType<typeof nextMark>): ChildProcess {
  const [program, ...args] = hasShell ? [shell, '-c', gate, 'sh', ...run.argv] : run.argv;
  return spawn(program!, args, {
    cwd: run.cwd,
    env: { ...run.env, [mark.name]: mark.value },
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: [hasShell ? 'pipe' : 'ignore', output, output],
  });
}

/**
 * Makes sure that the processes end with the server: the server kills them when it exits, and the guard,
 * which is another process, kills them if the server is killed.
 */
function register(processes: Processes, path: string): void {
  if (running.size === 0 && !guard) {
    process.once('exit', () => {
      for (const each of running) signalAll(each, 'SIGKILL');
    });
  }
  running.add(processes);
  guard ??= new OrphanGuard({ spawn, pauseSeconds: 0, graceSeconds: 2, startMs: 0, mark: ownMark, path });
  guard.add(processes.group);
}

/** Waits for the end of the program. After the time limit or a cancellation, stops its processes. */
async function waitOrStop(
  exited: Promise<unknown>,
  processes: Processes,
  { signal, timeoutMs }: ProcessRun,
): Promise<Ended['stopped']> {
  const ended = exited.then(() => true);
  if (await within(timeoutMs, ended, { signal })) return undefined;
  const stopped = signal.aborted ? 'cancelled' : 'timeout';
  await endAll(processes);
  return stopped;
}

/** Ends the processes that are left: with SIGTERM and, if they still run after a while, with SIGKILL. */
async function endAll(processes: Processes): Promise<void> {
  if (!anyRuns(processes)) return;
  signalAll(processes, 'SIGTERM');
  for (const end = Date.now() + graceMs; anyRuns(processes) && Date.now() < end;) await delay(pollMs);
  for (const end = Date.now() + killingMs; anyRuns(processes) && Date.now() < end;) {
    signalAll(processes, 'SIGKILL');
    await delay(pollMs);
  }
}

function startError(error: unknown): Error {
  const code = codeOf(error);
  const why =
    code === 'E2BIG'
      ? 'the arguments are too long; pass fewer or shorter ones'
      : code === 'EAGAIN' || code === 'ENOMEM'
        ? 'the system has no room for another process; try again later'
        : error instanceof Error
          ? error.message
          : String(error);
  return new Error(`The command could not be started: ${why}`, { cause: error });
}
