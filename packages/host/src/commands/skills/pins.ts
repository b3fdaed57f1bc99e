import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, isObject } from '@mcp/kit';
import { replaceFileSync } from '@mcp/kit/node';
import { digestOf } from '@mcp/skills';
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
  const texts = [value['server'], value['uri'], ...Object.values(value['files'])];
  return texts.every((text) => typeof text === 'string');
}

/** The digest of each file in a directory, by path; what is no file has its kind instead. */
export async function digestsIn(directory: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await addDigests(found, directory, []);
  return found;
}

async function addDigests(
  found: Map<string, string>,
  directory: string,
  path: readonly string[],
): Promise<void> {
  for (const entry of readdirSync(join(directory, ...path), { withFileTypes: true })) {
    const own = [...path, entry.name];
    if (entry.isDirectory()) await addDigests(found, directory, own);
    else if (entry.isFile()) found.set(own.join('/'), await digestOf(bytesOf(join(directory, ...own))));
    else found.set(own.join('/'), entry.isSymbolicLink() ? 'a link' : 'a special file');
  }
}

function bytesOf(file: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(file));
}

export type Change = readonly [kind: 'new' | 'changed' | 'removed', path: string];

/** How files differ: each path with a change. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly Change[] {
  const paths = [...new Set([...before.keys(), ...now.keys()])].toSorted();
  return paths
    .filter((path) => before.get(path) !== now.get(path))
    .map((path) => [!before.has(path) ? 'new' : now.has(path) ? 'changed' : 'removed', path]);
}

/** Whether there is an entry at a path, a link to nothing included. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}
