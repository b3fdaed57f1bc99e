import { serverSuggestions } from '../command-line/completion/server-suggestions.ts';
import { completeWords } from '../command-line/completion/complete-words.ts';
import { commands } from '../commands/commands.ts';
import { loadConfiguration } from '../config/load-configuration.ts';
import { exitCodes } from '../errors.ts';
import { hostState } from '../servers/host-state.ts';
import { Servers } from '../servers/servers.ts';
import type { Output } from '../terminal/output.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { cut } from '../terminal/table.ts';

const maxHelpWidth = 80;

/** Prints suggestions for the last word, each with its help behind a tab; starts no server. */
export async function printSuggestions(words: readonly string[], output: Output): Promise<number> {
  const ignore = () => {};
  const files = words.flatMap((word, index) => (words[index - 1] === '--config' ? [word] : []));
  const { servers: configured } = await loadConfiguration(files.length > 0 ? { files } : {});
  const servers = new Servers(configured, hostState(ignore), { onWarning: ignore });
  const suggestions = await completeWords(words, commands, serverSuggestions(servers, { canOpen: false }));
  for (const { value, help = '' } of suggestions)
    output.text(`${sanitizeLine(value)}\t${cut(sanitizeLine(help), maxHelpWidth)}`);
  return exitCodes.ok;
}
