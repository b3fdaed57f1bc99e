import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@mcp/kit';
import { replaceFileSync } from '@mcp/kit/node';
import { fileError } from '../../errors.ts';

/** What the user accepted: where a skill is from, and the digest of each file, by its path. */
export interface Pins {
  /** The name of the server in the configuration. */
  readonly server: string;
  readonly uri: string;
  readonly files: { readonly [path: string]: string };
}

/** The maximum number of bytes of a file of pins: 512 paths and digests. */
const maxPinsBytes = 4 * 1024 * 1024;

/** The file with the pins of a skill, beside its directory. */
export function pinsFile(directory: string, name: string): string {
  return join(directory, `${name}.mcp-skill.json`);
}

/** The pins of an installed skill; undefined without its file. Throws a `HostError` for a damaged file. */
export function readPins(file: string): Pins | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile() || stats.size > maxPinsBytes) throw fileError(`"${file}" is not a file of pins`);
  try {
    const pins: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isPins(pins)) return pins;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw fileError(
    `"${file}" is damaged; delete it and "${file.replace(/\.mcp-skill\.json$/, '')}" to install the skill anew`,
  );
}

export function writePins(file: string, pins: Pins): void {
  replaceFileSync(file, `${JSON.stringify(pins, null, 2)}\n`);
}

function isPins(value: unknown): value is Pins {
  if (!isObject(value) || !isObject(value['files'])) return false;
  const { server, uri, files } = value;
  return (
    typeof server === 'string' &&
    typeof uri === 'string' &&
    Object.values(files).every((digest) => typeof digest === 'string' && digest.startsWith('sha256:'))
  );
}
