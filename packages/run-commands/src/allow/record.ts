import { readFile } from 'node:fs/promises';
import { codeOf, isObject, messageOf } from '@mcp/kit';
import { replaceFile, withFileLock } from '@mcp/kit/node';

/** The content of a script or file as the operator saw it. */
export interface Seen {
  readonly sha256: string;
  /** The text; undefined if it is too long, or if the content is not text. */
  readonly text?: string | undefined;
  /** The path to which the script or file leads, without symbolic links. */
  readonly leadsTo: string;
  /**
   * Why the caller of a tool may not see the text, for example because a symbolic link leads to it from a
   * writable directory. The operator sees it.
   */
  readonly hidden?: string | undefined;
}

/** The allowed contents, keyed by the name of a command, then by that of a script or file. */
type Record = { readonly [command: string]: { readonly [subject: string]: Seen } };

/** Returns the path of the file of allowed contents: `x.allowed.json` for the configuration `x.json`. */
export function recordFile(configuration: string): string {
  return configuration.replace(/(?:\.jsonc?)?$/, '.allowed.json');
}

/** Reads the allowed contents from their file; none if it does not exist. Throws if the file is not valid. */
export async function readRecord(configuration: string): Promise<Record> {
  const file = recordFile(configuration);
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isRecord(read)) return read.allowed;
    throw new Error('it was not written by this program');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new Error(
      `Cannot read the record "${file}": ${messageOf(error)}; delete it and allow the commands again`,
      {
        cause: error,
      },
    );
  }
}

/** Adds allowed contents to their file, which only its owner can read. */
export async function allowInRecord(configuration: string, allowed: Record): Promise<void> {
  const file = recordFile(configuration);
  await withFileLock(`${file}.lock`, async () => {
    const before = await readRecord(configuration);
    await replaceFile(
      file,
      `${JSON.stringify({ version: 1, allowed: { ...before, ...allowed } }, null, 2)}\n`,
    );
  });
}

function isRecord(value: unknown): value is { readonly allowed: Record } {
  return (
    isObject(value) &&
    value['version'] === 1 &&
    isObject(value['allowed']) &&
    Object.values(value['allowed']).every((each) => isObject(each) && Object.values(each).every(isSeen))
  );
}

function isSeen(value: unknown): value is Seen {
  return isObject(value) && typeof value['sha256'] === 'string' && typeof value['leadsTo'] === 'string';
}
