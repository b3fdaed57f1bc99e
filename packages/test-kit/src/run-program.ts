import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { compileCache } from './compile-cache.ts';

export interface ProgramInput {
  /** The text for the program's stdin. */
  readonly input?: string;
  /** Whether stdin stays open after the input. If it closes, a server ends. */
  readonly open?: boolean;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Runs a Node program until it exits. */
export async function runProgram(
  program: string,
  args: readonly string[] = [],
  { input = '', open = false, env = process.env as Record<string, string>, cwd }: ProgramInput = {},
): Promise<ProgramOutput> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: 'pipe',
    env: { ...compileCache, ...env },
    cwd,
  });
  child.stdin.on('error', () => {}).write(input);
  if (!open) child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code: code as number };
}
