import type { CommandOutput } from '../command.ts';
import { textOf } from '../safe-text.ts';

/** The lines that a command has printed, without empty lines. */
export function lines({ stdout }: Pick<CommandOutput, 'stdout'>): string[] {
  return textOf(stdout).split('\n').filter(Boolean);
}

/** The only line that a command has printed, decoded as latin1; undefined if the command has failed. */
export function line({ code, stdout }: CommandOutput): string | undefined {
  return code === 0 ? stdout.toString('latin1').trim() : undefined;
}

/** Whether a command has ended with exit code 0. */
export function succeeded({ code }: CommandOutput): boolean {
  return code === 0;
}
