import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { CommandInput } from '../../command-line/command.ts';
import type { ReadEntry } from '../../config/entry/read-entry.ts';
import { mask, maskTarget } from '../../config/entry/mask-secrets.ts';
import { loadConfiguration } from '../../config/load-configuration.ts';
import { printedCommand } from '../../printed-command.ts';
import type { Output } from '../../terminal/output.ts';
import type { TargetPlace } from './target-place.ts';

/** Warns of a secret in a file of a project, which is often committed. */
export function noteSecrets({ target }: ReadEntry, { project, format }: TargetPlace, output: Output): void {
  if (project === undefined) return;
  const masked = maskTarget(target, []);
  const values = masked.kind === 'stdio' ? masked.env : masked.headers;
  const originals = target.kind === 'stdio' ? target.env : target.headers;
  const secrets = Object.keys(values).filter(
    (name) => values[name]?.includes(mask) && !/[$%{]/.test(originals[name] ?? ''),
  );
  const option = target.kind === 'stdio' ? '--env NAME' : "--header 'Name: ${VARIABLE}'";
  if (secrets.length > 0)
    output.warning(
      `${secrets.join(', ')} may be a secret, and files of a project are often committed` +
        (format.variables === 'none' && format.name !== 'codex'
          ? ''
          : `; ${option} names a variable instead`),
    );
}

/** Warns of a relative path where the host may start the server in another directory than `base`. */
export function noteRelative(
  { target }: ReadEntry,
  { project, title }: TargetPlace,
  output: Output,
  base = process.cwd(),
): void {
  if (project !== undefined || target.kind !== 'stdio' || target.cwd !== undefined) return;
  const { command, args } = target;
  const isPath = (word: string) => isRelativePath(word, base);
  const relative = [...(/[\\/]/.test(command) ? [command] : []).filter(isPath), ...args.filter(isPath)];
  if (relative.length === 0) return;
  const absolute = relative.map((word) => resolve(base, word)).join(', ');
  output.warning(
    `${relative.join(', ')}: relative to the directory in which ${title} starts the server; write ${absolute} instead`,
  );
}

/** Whether a word is a relative path: it begins with a dot, ends as a script, or there is such a file. */
function isRelativePath(word: string, base: string): boolean {
  if (isAbsolute(word) || /^[-~@$%]|:|^\{/.test(word)) return false;
  if (/^\.{1,2}(?:$|[\\/])|\.(?:[cm]?[jt]s|py|rb|php|sh|jar)$/.test(word)) return true;
  return /[\\/.]/.test(word) && existsSync(resolve(base, word));
}

/** Says which command tries the new entry, or which other entry of the same name counts instead of it. */
export async function noteWinner(name: string, file: string, input: CommandInput): Promise<void> {
  const { output, options } = input;
  const { config } = options;
  const { servers } = await loadConfiguration(Array.isArray(config) ? { files: config } : {});
  const found = servers.find((each) => each.name === name);
  if (!found || output.json) return;
  if (found.origin.file !== file && found.hidden.some((each) => each.file === file))
    output.warning(`mcp uses another entry of this name: ${found.origin.file}:${found.origin.line}`);
  else if (!found.enabled)
    output.warning(`"mcp.allowed" or "mcp.excluded" of this file disables the server: change it there`);
  else output.note(`to try it: ${printedCommand('ping', name)}`, 'dim');
}
