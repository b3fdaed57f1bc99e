import { renameArguments } from '@mcp/protocol';
import { pathNames } from './argument-names.ts';

type Arguments = Parameters<typeof renameArguments>[0];

const editNames = {
  old_string: 'oldText',
  oldString: 'oldText',
  old_str: 'oldText',
  old_text: 'oldText',
  new_string: 'newText',
  newString: 'newText',
  new_str: 'newText',
  new_text: 'newText',
};
/** The arguments of one edit. Models also give them outside of the list `edits`, beside `path`. */
const editKeys = ['oldText', 'newText', 'count', 'regex', 'startLine', 'endLine'];
const replaceAllNames = ['replace_all', 'replaceAll'];

/**
 * Gives the arguments of `edit_file` the form that its schema has. Models also use other names, one edit
 * without `edits`, or `files` with a path and edits each. Ambiguous arguments stay as they are.
 */
export function interpretEdits(args: Arguments): Arguments {
  const named = renameArguments(args, pathNames);
  const { edits, files, ...rest } = named;
  if (Array.isArray(files) && edits === undefined) return interpretFiles(files, rest) ?? named;
  if (Array.isArray(edits)) return { ...named, edits: edits.map(interpretEdit) };
  if (edits !== undefined) return named;
  const isOfEdit = ([key]: readonly [string, unknown]) =>
    [...editKeys, ...Object.keys(editNames), ...replaceAllNames].includes(key);
  const entries = Object.entries(rest);
  const edit = interpretEdit(Object.fromEntries(entries.filter(isOfEdit)));
  if (!isObject(edit) || edit['newText'] === undefined) return named;
  return { ...Object.fromEntries(entries.filter((entry) => !isOfEdit(entry))), edits: [edit] };
}

function interpretFiles(files: readonly unknown[], rest: Arguments): Arguments | undefined {
  const all: unknown[] = [];
  for (const file of files) {
    if (!isObject(file)) return undefined;
    const { path, edits, ...others } = renameArguments(file, pathNames);
    if (typeof path !== 'string' || !Array.isArray(edits) || Object.keys(others).length > 0) return undefined;
    for (const edit of edits) {
      const named = interpretEdit(edit);
      if (!isObject(named) || named['path'] !== undefined) return undefined;
      all.push({ ...named, path });
    }
  }
  return { ...rest, edits: all };
}

function interpretEdit(edit: unknown): unknown {
  if (!isObject(edit)) return edit;
  // A value that is not text stays under its own name, so that the error names what the caller gave.
  const texts = Object.entries(editNames).filter(([name]) => typeof edit[name] === 'string');
  const named = renameArguments(edit, { ...pathNames, ...Object.fromEntries(texts) });
  const all = replaceAllNames.find((name) => typeof named[name] === 'boolean');
  if (all === undefined || typeof named['oldText'] !== 'string') return named;
  const { [all]: isAll, ...others } = named;
  if (!isAll) return others;
  return named['count'] === undefined ? { ...others, count: 0 } : named;
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
