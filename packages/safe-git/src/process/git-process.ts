import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { kill } from 'node:process';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { OrphanGuard } from '@mcp/kit/node';
import type { CommandOutput } from '../command.ts';
import { groupRuns } from './process-table.ts';

export interface GitRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly input?: string | Buffer | undefined;
  /** Aborts when the client has cancelled the call. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the server closes. A process that starts later, to undo an operation, is not stopped. */
  readonly closing?: AbortSignal | undefined;
  /** Whether git may change files. If so, a guard process ends git when the server is killed. */
  readonly writes?: boolean | undefined;
  readonly timeoutMs: number;
  /** How many bytes of stdout are kept. Git is stopped when it prints more. */
  readonly maxBytes: number;
  /** Receives stdout, which is then not kept. Git is stopped when this function returns false. */
  readonly onChunk?: ((chunk: Buffer) => boolean) | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Receives each line of stderr, including progress lines that end in a carriage return. */
  readonly onStderrLine?: ((line: string) => void) | undefined;
  /** Called once if git still runs after 2 seconds. If it returns why git is blocked, git is stopped. */
  readonly findObstacle?: ((signal: AbortSignal) => Promise<string | undefined>) | undefined;
}

export type Environment = { readonly [name: string]: string };

/** Milliseconds between SIGTERM and SIGKILL, in which git removes its lock files. */
const killAfterMs = 3_000;
/** Milliseconds that a background process may keep stdout open after git's exit. */
const drainTimeoutMs = 1_000;
const maxStderrLength = 64 * 1024;
const groupPollMs = 10;
/** Milliseconds after which `findObstacle` looks for a reason why git is blocked and not just busy. */
const obstacleMs = 2_000;
/** Milliseconds after which a read gets a guard process, which ends git if the server is killed. */
const guardReadMs = 200;

/** Git was stopped by a cancellation, time-out, end of the server or signal. It may have left lock files. */
export class GitStoppedError extends Error {
  override readonly name = 'GitStoppedError';
  /** Whether git was ended by SIGKILL, so that it could not clean up. */
  readonly killed: boolean;

  constructor(message: string, killed: boolean, cause?: unknown) {
    super(message, { cause });
    this.killed = killed;
  }
}

/**
 * One run of git. Git has its own process group, so that its child processes are stopped together with it.
 */
class GitProcess {
  readonly output: Promise<CommandOutput>;
  readonly #run: GitRun;
  readonly #child: ChildProcess;
  readonly #timeout: NodeJS.Timeout;
  readonly #stdout: Buffer[] = [];
  #stdoutBytes = 0;
  /** Whether git was stopped because its output was more than is kept, or more than the reader needed. */
  #truncated = false;
  #stderr = '';
  #stderrLine = '';
  #stopReason: string | undefined;
  #killTimer: NodeJS.Timeout | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  #killed = false;
  #obstacleTimer: NodeJS.Timeout | undefined;
  #guardTimer: NodeJS.Timeout | undefined;
  /**
   * Aborts the search for what blocks git (`findObstacle`) when git has ended. Undefined before the search.
   */
  #search: AbortController | undefined;

  constructor(run: GitRun, child: ChildProcess) {
    this.#run = run;
    this.#child = child;
    this.#timeout = setTimeout(this.#onTimeout, run.timeoutMs);
    run.signal?.addEventListener('abort', this.#onCancel, { once: true });
    run.closing?.addEventListener('abort', this.#onClosing, { once: true });
    if (run.findObstacle) this.#obstacleTimer = setTimeout(() => void this.#findObstacle(), obstacleMs);
    runningChildren.add(child);
    if (run.writes) this.#guard();
    else this.#guardTimer = setTimeout(() => this.#guard(), guardReadMs);
    child.stdout?.on('data', (chunk: Buffer) => this.#onStdout(chunk));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#onStderr(text));
    child.stdin?.on('error', () => {});
    if (isGated(run)) child.stdin?.write('\n');
    child.stdin?.end(run.input);
    child.once('exit', () => {
      // If the event loop is busy, output may be unread when the timer fires. `setImmediate` lets it be read.
      this.#drainTimer = setTimeout(() => setImmediate(() => this.#closeOutput()), drainTimeoutMs);
    });
    this.output = new Promise((resolve, reject) => {
      child.once('error', (error) => {
        this.#cleanUp();
        reject(startError(error));
      });
      child.once('close', (code) => {
        if (child.pid === undefined) return;
        void this.#endGroup(code).then(() => {
          this.#cleanUp();
          const error = this.#failure(code);
          if (error) reject(error);
          else resolve(this.#result(code ?? 0));
        });
      });
    });
  }

  readonly #onTimeout = () =>
    this.#abort(`Stopped: git took longer than ${this.#run.timeoutMs / 1000} seconds`);
  readonly #onCancel = () => this.#abort('Cancelled');
  readonly #onClosing = () => this.#abort('Stopped: the program that runs git is closing');

  #onStdout(chunk: Buffer): void {
    if (this.#truncated) return;
    const { onBytes, onChunk, maxBytes } = this.#run;
    onBytes?.(chunk.length);
    if (onChunk) this.#truncated = !onChunk(chunk);
    else {
      const rest = maxBytes - this.#stdoutBytes;
      this.#stdout.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
      this.#stdoutBytes += chunk.length;
      this.#truncated = this.#stdoutBytes > maxBytes;
    }
    if (!this.#truncated) return;
    this.#child.stdout?.destroy();
    this.#terminate();
  }

  #onStderr(text: string): void {
    if (this.#stderr.length < maxStderrLength) this.#stderr += text;
    const { onStderrLine } = this.#run;
    if (!onStderrLine) return;
    const lines = (this.#stderrLine + text).split(/[\r\n]+/);
    this.#stderrLine = (lines.pop() ?? '').slice(0, maxStderrLength);
    for (const line of lines) onStderrLine(line);
  }

  #abort(reason: string): void {
    this.#stopReason ??= reason;
    this.#terminate();
  }

  #terminate(): void {
    signalGroup(this.#child, 'SIGTERM');
    this.#killTimer ??= setTimeout(() => {
      this.#killed = true;
      signalGroup(this.#child, 'SIGKILL');
    }, killAfterMs);
  }

  /** Waits until the child processes of a stopped git have ended and removed their lock files. */
  async #endGroup(code: number | null): Promise<void> {
    const { pid } = this.#child;
    const wasStopped = this.#stopReason !== undefined || (code === null && !this.#truncated);
    if (!wasStopped || process.platform === 'win32' || pid === undefined) {
      if (this.#killTimer) signalGroup(this.#child, 'SIGKILL');
      return;
    }
    if (this.#stopReason === undefined && groupRuns(pid)) this.#terminate();
    const end = Date.now() + 2 * killAfterMs;
    while (groupRuns(pid) && Date.now() < end) await setTimeoutAsync(groupPollMs);
  }

  #guard(): void {
    if (this.#child.pid !== undefined) orphanGuard?.add(this.#child.pid);
  }

  async #findObstacle(): Promise<void> {
    const { signal } = (this.#search = new AbortController());
    const obstacle = await this.#run.findObstacle?.(signal);
    if (obstacle !== undefined && !signal.aborted) this.#abort(`Stopped: ${obstacle}`);
  }

  #closeOutput(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #failure(code: number | null): Error | undefined {
    const { signal } = this.#run;
    if (this.#stopReason !== undefined)
      return new GitStoppedError(this.#stopReason, this.#killed, signal?.reason);
    if (code === null && !this.#truncated)
      return new GitStoppedError('Git was ended by a signal of another program', true);
    return undefined;
  }

  #result(code: number): CommandOutput {
    const truncated = this.#truncated;
    return {
      code: truncated ? 0 : code,
      stdout: Buffer.concat(this.#stdout),
      stderr: this.#stderr,
      truncated,
    };
  }

  #cleanUp(): void {
    clearTimeout(this.#timeout);
    clearTimeout(this.#killTimer);
    clearTimeout(this.#drainTimer);
    clearTimeout(this.#obstacleTimer);
    clearTimeout(this.#guardTimer);
    this.#search?.abort();
    this.#run.signal?.removeEventListener('abort', this.#onCancel);
    this.#run.closing?.removeEventListener('abort', this.#onClosing);
    runningChildren.delete(this.#child);
    if (this.#child.pid !== undefined) orphanGuard?.remove(this.#child.pid);
  }
}

/** Runs git once. Throws `GitStoppedError` if it was stopped, and an `Error` if it could not be started. */
export async function runGit(run: GitRun): Promise<CommandOutput> {
  // Imported when git runs for the first time, so that the server starts sooner.
  const { spawn } = await import('node:child_process');
  if (run.signal?.aborted) throw new GitStoppedError('Cancelled', false, run.signal.reason);
  endChildrenOnExit();
  if (hasShell) orphanGuard ??= new OrphanGuard({ spawn, pauseSeconds: 0, graceSeconds: 3, startMs: 0 });
  const isFed = isGated(run) || run.input !== undefined;
  const [program, ...args] = [...(isGated(run) ? [shell, '-c', gate] : []), run.program, ...run.args];
  let child: ChildProcess;
  try {
    child = spawn(program!, args, {
      cwd: run.cwd,
      env: run.env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: [isFed ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw startError(error);
  }
  return new GitProcess(run, child).output;
}

function startError(error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === 'E2BIG' ? 'the arguments are too long; pass fewer at once' : message;
  return new Error(`Could not start git: ${why}`, { cause: error });
}

const shell = '/bin/sh';
/**
 * A shell script that waits for a line before it starts git. The server first tells the process id to the
 * orphan guard, a process that ends git when the server is killed, and then writes the line. If the server is
 * killed before that, git does not start.
 */
const gate = 'read -r line && exec "$0" "$@"';
const hasShell = process.platform !== 'win32' && existsSync(shell);
let orphanGuard: OrphanGuard | undefined;

function isGated({ writes }: GitRun): boolean {
  return writes === true && hasShell;
}

/** The ids of the process groups of the running git processes that this server has started. */
export function runningGroups(): ReadonlySet<number> {
  return new Set([...runningChildren].flatMap(({ pid }) => pid ?? []));
}

const runningChildren = new Set<ChildProcess>();
let endsOnExit = false;

/** Stops git when the server exits. Git has its own process group, so it would outlive the server. */
function endChildrenOnExit(): void {
  if (endsOnExit) return;
  endsOnExit = true;
  process.once('exit', () => {
    for (const child of runningChildren) signalGroup(child, 'SIGTERM');
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else kill(-child.pid, signal);
  } catch {
    // The process group has already ended.
  }
}
