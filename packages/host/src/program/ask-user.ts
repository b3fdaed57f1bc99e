import type { Host } from '@mcp/protocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import { explainServer } from '../config/explain.ts';
import { askForm } from '../terminal/elicit.ts';
import type { Output } from '../terminal/output.ts';
import { sanitize } from '../terminal/sanitize.ts';

/** Shows what would be started, and asks; without a terminal the answer is no. */
export async function askConsent(
  definition: ServerDefinition,
  agreed: boolean,
  output: Output,
): Promise<boolean> {
  if (agreed) return true;
  if (!process.stdin.isTTY || !output.interactive) return false;
  output.note('A file of this project names a server:');
  const { hidden, format } = { hidden: [], format: { title: 'this project' } } as const;
  for (const [label, text] of explainServer({ hidden, format }, definition))
    output.note(sanitize(`  ${label}: ${text}`));
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question('Start it? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}

/** Asks the user what a server asks: a form line by line, a page by its address. Undefined without a terminal. */
export function elicitWith(output: Output): ((server: string) => NonNullable<Host['elicit']>) | undefined {
  if (!process.stdin.isTTY || !output.interactive) return undefined;
  const terminal = { input: process.stdin, output: process.stderr };
  return (server) =>
    (request, { signal }) => {
      if (!('url' in request)) return askForm(server, request, terminal, signal);
      const message = `${request.message}\nOpen ${request.url} and go on when you are done there.`;
      const done = { type: 'boolean', title: 'Done', default: true };
      output.note('');
      return askForm(server, { message, requestedSchema: { properties: { done } } }, terminal, signal);
    };
}
