import { resolve } from 'node:path';
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

/** Warns of an argument that names another file where the host starts the server in another directory. */
export function noteRelative({ target }: ReadEntry, { project, title }: TargetPlace, output: Output): void {
  if (project !== undefined || target.kind !== 'stdio' || target.cwd !== undefined) return;
  const relative = [target.command, ...target.args].filter((word) => /^\.{1,2}(?:$|[\\/])/.test(word));
  if (relative.length === 0) return;
  const absolute = relative.map((word) => resolve(word)).join(', ');
  output.warning(
    `${relative.join(', ')}: relative to the directory in which ${title} starts the server; in this directory it is ${absolute}`,
  );
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
