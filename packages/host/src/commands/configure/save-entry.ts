import { isObject } from '@mcp/kit';
import type { Entry } from '../../config/entry/entry-values.ts';
import { parseDocument } from '../../config/formats/parse-document.ts';
import { changeFile, type FileChange } from '../../config/write/change-file.ts';
import { withEntry } from '../../config/write/edit-servers.ts';
import { usageError } from '../../errors.ts';
import { shellWord } from '../../shell-word.ts';
import type { Output } from '../../terminal/output.ts';
import type { StateDirectories } from '../../state-directories.ts';
import type { TargetPlace } from './target-place.ts';

/** An entry that was written. */
export interface Saved {
  readonly change: FileChange;
  readonly line: number;
}

/**
 * Writes an entry under a name. Rejects with a `HostError` if the file has an entry of this name, unless
 * `replaces` is true.
 */
export async function saveEntry(
  name: string,
  entry: Entry,
  { file, format, container, project }: TargetPlace,
  { replaces, directories }: { readonly replaces: boolean; readonly directories: StateDirectories },
): Promise<Saved> {
  assertName(name);
  const path = [...container, name];
  const { language } = format;
  const edit = (text: string) => {
    const root = text.trim().replace('\uFEFF', '') === '' ? {} : parseDocument(file, text, language).root;
    if (!replaces && hasEntry(root, path))
      throw new Error(`it has a server "${name}" already; --force replaces it`);
    return withEntry(text, { file, language, path }, entry);
  };
  const change = await changeFile(file, edit, { stateDirectory: directories.state, project });
  return { change, line: parseDocument(file, change.text, language).lineOf(path) };
}

function assertName(name: string): void {
  if (name.trim() === '' || name.length > 200 || /\p{Cc}/u.test(name))
    throw usageError(
      `Invalid name: ${JSON.stringify(name)}; expected a short name without control characters`,
    );
}

/** Whether a document has an entry at a path. */
export function hasEntry(root: unknown, path: readonly string[]): boolean {
  let value = root;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return false;
    value = value[key];
  }
  return true;
}

/** Says where the former file is, with the command that brings it back. */
export function noteBackup({ file, backup }: FileChange, output: Output): void {
  if (backup !== undefined) output.note(`to undo: cp ${shellWord(backup)} ${shellWord(file)}`, 'dim');
}
