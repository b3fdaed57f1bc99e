import { printedCommand } from '../printed-command.ts';
import type { ToolChange } from '../trust/tool-changes.ts';

/** The message to a caller of a tool that is hidden until the user accepts its change. */
export function withheldText(server: string, tool: string): string {
  return `The tool "${tool}" of "${server}" is new or has changed since its tools were accepted, and is withheld; ${printedCommand('trust', server)} shows the changes, and with --yes accepts them`;
}

/**
 * The message to a user about changed tools. The names of the tools come from the server and are not
 * sanitized here: the caller must sanitize the message before showing it.
 */
export function withheldChangesText(server: string, changes: readonly ToolChange[]): string {
  const names = changes.map(({ kind, name }) => `${name} (${kind})`).join(', ');
  return `${server}: tools that changed since they were accepted are withheld: ${names}`;
}
