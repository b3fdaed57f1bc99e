import { readFile } from 'node:fs/promises';
import { codeOf, isObject, messageOf } from '@mcp/kit';
import { replaceFile, withFileLock } from '@mcp/kit/node';

/** What the operator saw of one script or file. */
export interface Seen {
  readonly sha256: string;
  /** The text; undefined if it is long or no text. */
  readonly text?: string | undefined;
  /** The path without symbolic links. */
  readonly leadsTo: string;
}

/** What the operator allowed: by the name of a command, then by the name of a script or file. */
type Record = { readonly [command: string]: { readonly [subject: string]: Seen } };

/** The file of the record, beside the configuration: `commands.allowed.json`. */
export function recordFile(configuration: string): string {
  return configuration.replace(/(?:\.jsonc?)?$/, '.allowed.json');
}

/** Reads what is allowed: nothing if the file does not exist. Throws if it is not such a record. */
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

/** Adds to what is allowed, in a file that only its owner can read. */
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
