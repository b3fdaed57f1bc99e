import type { Scope } from '../entry/server-entry.ts';

/**
 * A hint if the configured command contains `~` or arguments, which only a shell would expand or split;
 * otherwise undefined.
 */
export function commandHint(command: string, scope: Scope): string | undefined {
  if (command.startsWith('~')) return 'write the whole path: "~" is not expanded';
  if (!/\s/.test(command) || /[\\/]/.test(command)) return undefined;
  if (scope === 'command-line') return `write "${command}" without quotes, as several words after --`;
  return `write the arguments of "${command}" into "args"`;
}
