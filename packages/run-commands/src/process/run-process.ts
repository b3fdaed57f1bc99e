import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, within } from '@mcp/kit';
import { OrphanGuard } from '@mcp/kit/node';
import { openPipe } from './open-pipe.ts';
import { anyRuns, type Processes, signalAll } from './left-processes.ts';
import { nextMark, ownMark } from './mark.ts';

export interface ProcessRun {
  /** The absolute path of the program, and its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  /** A directory for the pipe, which only this user can write. */
  readonly directory: string;
  /** The directories of the programs that this module needs, as in PATH; none that the agent may write. */
  readonly search: string;
  readonly timeoutMs: number;
  /** Aborts when the caller no longer wants the result. */
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was stopped; undefined if it ended by itself. */
  readonly stopped: 'timeout' | 'cancelled' | undefined;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 2_000;
/** Milliseconds in which SIGKILL is repeated, because a process may have started another one in between. */
const killingMs = 5_000;
const pollMs = 50;
/** Milliseconds in which the rest of the output is read after the last process has ended. */
const drainMs = 1_000;

const shell = '/bin/sh';
/**
 * Starts the program only after it has read a line: a server that is killed before it has registered the
 * group with the guard cannot write it.
 */
const gate = 'read -r line && exec "$@" </dev/null';
const hasShell = process.platform !== 'win32' && existsSync(shell);

const running = new Set<Processes>();
let guard: OrphanGuard | undefined;

/**
 * Runs a program to its end, as the leader of a process group, without stdin. When it resolves, no process of
 * the run is left. Rejects if the program cannot be started.
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
 * Registers a group with the guard, which ends it when this process is killed, and for the end of this
 * process.
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

/** Waits for the end of the program; stops its processes after the time limit or a cancellation. */
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

/** Ends what is left of the processes: SIGTERM, and SIGKILL when they do not follow. */
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
