import { escapeText, isObject, messageOf } from '@mcp/kit';
import type { Entry } from '../../config/entry/entry-values.ts';
import { isServerUrl } from '../../config/entry/typed-entry.ts';
import { parseDocument } from '../../config/formats/parse-document.ts';
import { changeFile, type FileChange } from '../../config/write/change-file.ts';
import { withEntry } from '../../config/write/edit-servers.ts';
import { type HostError, usageError } from '../../errors.ts';
import { shellWord } from '../../shell-word.ts';
import type { Output } from '../../terminal/output.ts';
import type { StateDirectories } from '../../state-directories.ts';
import type { TargetPlace } from './target-place.ts';

export interface NamedEntry {
  readonly name: string;
  readonly entry: Entry;
}

/** What became of entries that were to be written, in their order: a line each, or an error. */
export interface Saved {
  readonly change: FileChange;
  readonly results: readonly (number | HostError)[];
}

/**
 * Writes entries under their names, in one change of the file. The result of an entry whose name is invalid
 * is an error, and so is that of a name which the file has already, unless `replaces` is true.
 */
export async function saveEntries(
  entries: readonly NamedEntry[],
  { file, format, container, project }: TargetPlace,
  { replaces, directories }: { readonly replaces: boolean; readonly directories: StateDirectories },
): Promise<Saved> {
  const { language } = format;
  const errors = new Map<NamedEntry, HostError>();
  const withOne = (text: string, { name, entry }: NamedEntry) => {
    assertName(name);
    const path = [...container, name];
    const root = text.trim().replace('\uFEFF', '') === '' ? {} : parseDocument(file, text, language).root;
    if (!replaces && hasEntry(root, path))
      throw new Error(`it has a server "${name}" already; --force replaces it`);
    return withEntry(text, { file, language, path }, entry);
  };
  const edit = (text: string) => {
    errors.clear();
    return entries.reduce((edited, each) => {
      try {
        return withOne(edited, each);
      } catch (error) {
        errors.set(each, usageError(`Cannot change "${file}": ${messageOf(error)}`, undefined, error));
        return edited;
      }
    }, text);
  };
  const change = await changeFile(file, edit, { stateDirectory: directories.state, project });
  const document = errors.size < entries.length ? parseDocument(file, change.text, language) : undefined;
  const lineOf = ({ name }: NamedEntry) => document?.lineOf([...container, name]) ?? 1;
  return { change, results: entries.map((each) => errors.get(each) ?? lineOf(each)) };
}

/** Throws for a name with which no command line could name the server. */
function assertName(name: string): void {
  const isHidden = /\p{Cc}/u.test(name) || escapeText(name) !== name;
  if (name.trim() !== '' && name.length <= 200 && !isHidden && !name.startsWith('-') && !isServerUrl(name))
    return;
  throw new Error(
    `invalid name of a server: ${JSON.stringify(escapeText(name))}; expected 1 to 200 characters, none of them hidden, no hyphen at the beginning, and no URL`,
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

/** Says which command brings the former file back, or deletes a new one. */
export function noteUndo({ file, backup, isNew }: FileChange, output: Output): void {
  if (backup !== undefined) output.note(`to undo: cp ${shellWord(backup)} ${shellWord(file)}`, 'dim');
  else if (isNew) output.note(`to undo: rm ${shellWord(file)}`, 'dim');
}
