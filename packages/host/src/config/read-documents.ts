import { lstat, stat } from 'node:fs/promises';
import type { Document } from '@mcp/kit/jsonc';
import { fileError, type HostError, usageError } from '../errors.ts';
import { readFile, readNamedFile } from '../read-file.ts';
import { formats } from './formats/formats.ts';
import { parseDocument } from './formats/parse-document.ts';
import type { WellKnownFile } from './formats/well-known-files.ts';

/** How files are read; see `LoadOptions`. */
interface ReadOptions {
  readonly files?: readonly string[] | undefined;
  readonly cwd?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads each file once. Returns a map from the path to the document, to undefined if the file is missing, or
 * to the error if it cannot be read.
 */
export async function readDocuments(
  files: readonly WellKnownFile[],
  options: ReadOptions,
): Promise<Map<string, Document | Error | undefined>> {
  const unique = new Map(files.map((file) => [file.path, file]));
  const read = async ([path, file]: readonly [string, WellKnownFile]) =>
    [path, await readDocument(file, options).catch((error: Error) => error)] as const;
  return new Map(await Promise.all(Array.from(unique, read)));
}

async function readDocument(file: WellKnownFile, options: ReadOptions): Promise<Document | undefined> {
  const { path, format } = file;
  if (isAbove(file, options)) await assertOwn(path);
  const text = await readText(path, options);
  if (text?.trim() === '') return { root: {}, lineOf: () => 1 };
  return text === undefined ? undefined : parseDocument(path, text, formats[format].language);
}

/** Whether a file is of a project whose directory is above the current one. */
function isAbove({ project }: WellKnownFile, { cwd = process.cwd() }: ReadOptions): boolean {
  return project !== undefined && project !== cwd;
}

/** Throws for a file of another user: other users may write into the directories above the current one. */
async function assertOwn(path: string): Promise<void> {
  const own = process.getuid?.();
  const stats = await Promise.all([lstat(path), stat(path)]).catch(() => []);
  if (own !== undefined && stats.some(({ uid }) => uid !== own))
    throw usageError(
      `The configuration "${path}" is not used: it belongs to another user, and is above this directory`,
      `in its directory, or with --config, mcp uses it`,
    );
}

async function readText(path: string, { files, signal }: ReadOptions): Promise<string | undefined> {
  try {
    const bytes = await (files ? readNamedFile(path, signal) : readFile(path));
    if (bytes[0] !== 0xff || bytes[1] !== 0xfe) return bytes.toString('utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!files && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    throw usageError(`Cannot read the configuration "${path}": ${message}`, undefined, error);
  }
  throw fileProblem(path, 1, 'the file is UTF-16; save it as UTF-8');
}

/** The error for a file that has no configuration. */
export function fileProblem(file: string, line: number, message: string): HostError {
  return fileError(`Cannot read "${file}", line ${line}: ${message}`);
}
