import { quoted } from '@mcp/kit';
import { suggestion } from '@mcp/kit/jsonc';
import type { Command, Configuration } from './configuration.ts';

/** Returns the command with this name. Throws an error that suggests the nearest name if there is none. */
export function commandNamed(name: string, { commands }: Configuration): Command {
  const found = commands.get(name);
  if (found) return found;
  throw new Error(`No such command: ${quoted(name)}; ${suggestion(name, [...commands.keys()])}`);
}
