import { printedCommand } from '../printed-command.ts';

/** The message to a caller of a tool that exists but is withheld. */
export function withheldText(server: string, tool: string): string {
  return `The tool "${tool}" of "${server}" is new or has changed since its tools were accepted, and is withheld; ${printedCommand('trust', server)} shows the change`;
}
