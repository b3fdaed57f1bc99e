import type { ChildProcess } from 'node:child_process';
import { kill } from 'node:process';
import type { Output } from '../command.ts';

export interface GitRun {
  /** Where git's program is. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly input?: string | Buffer | undefined;
  /** Aborts when nobody wants the result any more. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the server is closed. What is begun later is not stopped: it takes back what was stopped half-way. */
  readonly closing?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Bytes of output that are kept; git is stopped when there is more. */
  readonly maxBytes: number;
  /** Takes the output instead of keeping it; git is stopped when it says false. */
  readonly take?: ((chunk: Buffer) => boolean) | undefined;
  /** Hears how much output comes, as it comes. */
  readonly came?: ((bytes: number) => void) | undefined;
  /** Hears each line that git writes for people, also those that replace each other. */
  readonly said?: ((line: string) => void) | undefined;
}

export type Environment = { readonly [name: string]: string };

/** How long git may take to clean up after itself once it was asked to stop. */
const graceMs = 3_000;
/** How long output may stay open after git has ended: a program that git left behind may hold it. */
const drainMs = 1_000;
const maxErrorBytes = 64 * 1024;

/** Whether the last resort was needed: then git could not remove its own locks. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly killed: boolean;

  constructor(message: string, killed: boolean, cause?: unknown) {
    super(message, { cause });
    this.killed = killed;
  }
}

/**
 * Runs git once, as the leader of a process group of its own, so that whatever it starts ends with it. Resolves
 * or rejects when the process is gone and not before.
 */
export async function runGit(run: GitRun): Promise<Output> {
  const { signal, closing } = run;
  // Loaded with the first git, which no handshake waits for.
  const { spawn } = await import('node:child_process');
  if (signal?.aborted) throw new Stopped('Cancelled', false, signal.reason);
  leaveNothingBehind();
  return new Promise((resolve, reject) => {
    let child: ChildProcess;
    try {
      child = spawn(run.program, run.args, {
        cwd: run.cwd,
        env: run.env,
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      return reject(notStarted(error));
    }
    const chunks: Buffer[] = [];
    let kept = 0;
    let cut = false;
    let errors = '';
    let line = '';
    let killed = false;
    let stopping = false;
    let why: string | undefined;
    let last: NodeJS.Timeout | undefined;
    let drain: NodeJS.Timeout | undefined;

    const stop = () => {
      stopping = true;
      endGroup(child, 'SIGTERM');
      last ??= setTimeout(() => {
        killed = true;
        endGroup(child, 'SIGKILL');
      }, graceMs);
    };
    const giveUp = (reason: string) => {
      why ??= reason;
      stop();
    };
    const late = () => giveUp(`Stopped: it took longer than ${run.timeoutMs / 1000} seconds`);
    const cancelled = () => giveUp('Cancelled');
    const closed = () => giveUp('Stopped: the server is closing');
    const timer = setTimeout(late, run.timeoutMs);
    signal?.addEventListener('abort', cancelled, { once: true });
    closing?.addEventListener('abort', closed, { once: true });
    running.add(child);

    child.stdout?.on('data', (chunk: Buffer) => {
      if (cut) return;
      run.came?.(chunk.length);
      if (run.take) cut = !run.take(chunk);
      else {
        const rest = run.maxBytes - kept;
        chunks.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
        kept += chunk.length;
        cut = kept > run.maxBytes;
      }
      if (!cut) return;
      child.stdout?.destroy();
      stop();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < maxErrorBytes) errors += text;
      if (!run.said) return;
      const lines = (line + text).split(/[\r\n]+/);
      line = (lines.pop() ?? '').slice(0, maxErrorBytes);
      for (const each of lines) run.said(each);
    });
    child.stdin?.on('error', () => {}).end(run.input);

    const forget = () => {
      clearTimeout(timer);
      clearTimeout(last);
      signal?.removeEventListener('abort', cancelled);
      closing?.removeEventListener('abort', closed);
      running.delete(child);
    };
    const finish = (code: number | null) => {
      // What git has started may have been asked to stop, and have gone on.
      if (stopping) endGroup(child, 'SIGKILL');
      clearTimeout(drain);
      forget();
      if (why !== undefined) reject(new Stopped(why, killed, signal?.reason));
      // Ended by a signal that nobody here has sent.
      else if (code === null && !cut) reject(new Error('The git process was ended from outside'));
      else resolve({ code: cut ? 0 : (code ?? 0), stdout: Buffer.concat(chunks), stderr: errors, cut });
    };
    child.once('error', (error) => {
      forget();
      reject(notStarted(error));
    });
    child.once('exit', () => {
      drain = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, drainMs);
    });
    child.once('close', (code) => {
      if (child.pid !== undefined) finish(code);
    });
  });
}

function notStarted(error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === 'E2BIG' ? 'what it is asked for is too long; give less at once' : message;
  return new Error(`Could not start git: ${why}`, { cause: error });
}

const running = new Set<ChildProcess>();
let leaving = false;

/** Groups of their own would outlive the server. */
function leaveNothingBehind(): void {
  if (leaving) return;
  leaving = true;
  process.once('exit', endAll);
}

function endAll(): void {
  for (const child of running) endGroup(child, 'SIGTERM');
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
