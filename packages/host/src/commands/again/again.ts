import type { Command } from '../../command-line/command.ts';
import { usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { call } from '../call.ts';

/** Repeats the last call of this directory. The program replaces its words by those of that call. */
export const again: Command = {
  name: 'again',
  usage: '[key=value…] [options]',
  help: 'repeats the last mcp call that was typed in a terminal in this directory, with changed arguments and further options',
  examples: ['again', 'again head:=2 --pick size'],
  words: ['any'],
  // The words after it become those of the call.
  options: call.options ?? [],
  run() {
    return Promise.reject(
      usageError(
        'There is no call to repeat: none was typed in a terminal in this directory',
        printedCommand('call', '<server>.<tool>'),
      ),
    );
  },
};
