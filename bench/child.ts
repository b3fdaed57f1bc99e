import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Program } from './trial.ts';

let node = process.execPath;

/** Selects the Node that runs the servers; the measuring process keeps its own. */
export function runWith(path: string): void {
  node = path;
}

/** A server under measurement, started in a process of its own. */
export function start({ args, env }: Program): ChildProcess & {
  stdin: NonNullable<ChildProcess['stdin']>;
  stdout: NonNullable<ChildProcess['stdout']>;
} {
  return spawn(node, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
}

/** The peak memory of a process in MB. Linux only. */
export function peakMemoryMb(child: ChildProcess): number {
  return statusKb(child, 'VmHWM') / 1024;
}

/** The current memory of a process in MB. Linux only. */
export function memoryMb(child: Pick<ChildProcess, 'pid'>): number {
  return statusKb(child, 'VmRSS') / 1024;
}

function statusKb(child: Pick<ChildProcess, 'pid'>, field: string): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]);
}

/** The first message of every conversation. */
export const initialize = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
})}\n`;

/** Resolves when a process has written `lines` lines; rejects when it ends before. */
export function received(
  child: { stdout: NonNullable<ChildProcess['stdout']> },
  lines: number,
): Promise<void> {
  let seen = 0;
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`The process ended after ${seen} of ${lines} lines`));
    const count = (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) seen++;
      if (seen < lines) return;
      child.stdout.off('data', count).off('end', ended);
      resolve();
    };
    child.stdout.on('data', count).once('end', ended);
  });
}

/** Ends a process and waits for its end. */
export async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
