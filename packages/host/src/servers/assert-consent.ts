import type { ServerEntry } from '../config/entry/server-entry.ts';
import { HostError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import { readHere, type ReadHere } from '../trust/read-here.ts';
import type { TrustStore } from '../trust/trust-store.ts';

/**
 * Asks whether to start a server that a project's file configures, or whose start reads files in a directory
 * that another person may have written (`reads`).
 */
export type AskConsent = (entry: ServerEntry, reads: ReadHere | undefined) => Promise<boolean>;

/**
 * Asks for consent if a server needs consent and has none. Rejects with a `HostError` if the user refuses.
 */
export async function assertConsent(entry: ServerEntry, trust: TrustStore, ask: AskConsent): Promise<void> {
  const reads = readHere(entry, process.cwd());
  if (trust.hasConsent(entry, reads)) return;
  if (!(await ask(entry, reads))) throw refused(entry, reads);
  trust.giveConsent(entry, reads);
}

function refused({ name, origin, scope }: ServerEntry, reads: ReadHere | undefined): HostError {
  const refusal = `The server "${name}" of "${origin?.file ?? 'this project'}" was not started: no consent`;
  // The message itself, and not only a hint, says what to run, because some hosts show only the message, and
  // have no terminal.
  const remedy = `to agree once, run ${printedCommand('--yes', 'ping', name)} in "${process.cwd()}"`;
  const options = { server: name, phase: 'consent' } as const;
  if (scope === 'project' || !reads) {
    const hint = `${printedCommand('config', 'explain', name)} shows what would be started`;
    return new HostError(`${refusal}; ${remedy}`, { ...options, hint });
  }
  const paths = reads.paths.map((path) => `"${path}"`).join(', ');
  const message = `${refusal} to what "${reads.program}" reads here: ${paths}; ${remedy}`;
  const hint = 'a "cwd" in its entry starts the server in another directory, without this question';
  return new HostError(message, { ...options, hint });
}
