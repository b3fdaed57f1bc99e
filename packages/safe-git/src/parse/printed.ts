import type { CommandOutput } from '../command.ts';
import { textOf } from '../safe-text.ts';

export function lines({ stdout }: Pick<CommandOutput, 'stdout'>): string[] {
  return textOf(stdout).split('\n').filter(Boolean);
}

/** The only line that a command has printed, decoded as latin1; undefined if the command has failed. */
export function line({ code, stdout }: CommandOutput): string | undefined {
  return code === 0 ? stdout.toString('latin1').trim() : undefined;
}

export function succeeded({ code }: CommandOutput): boolean {
  return code === 0;
}
