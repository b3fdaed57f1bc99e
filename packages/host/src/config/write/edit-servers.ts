import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@mcp/kit';
import { removeMember, setMember } from '@mcp/kit/jsonc';
import type { Entry } from '../entry/entry-values.ts';
import { parseDocument } from '../formats/parse-document.ts';
import { appendTable, removeTable } from './edit-toml.ts';

/** The place of an entry in a file. */
export interface EntryPlace {
  readonly file: string;
  readonly language: 'json' | 'toml';
  /** The keys that lead to the entry; the last one is the name of the server. */
  readonly path: readonly string[];
}

/**
 * Returns the text of a configuration file with an entry, which replaces one of the same name. All else
 * stays. Throws an `Error` if the text cannot be changed so.
 */
export function withEntry(text: string, place: EntryPlace, entry: Entry): string {
  const { language, path } = place;
  return withinDepth(() => {
    const root = rootOf(text, place);
    const plain = JSON.parse(JSON.stringify(entry)) as Entry;
    const hasOne = valueAt(root, path) !== undefined;
    const edited =
      language === 'json'
        ? setMember(text, path, plain)
        : appendTable(hasOne ? removeTable(text, path) : text, path, plain);
    return checked(edited, place, changed(root, path, plain));
  });
}

/** Returns the text of a configuration file without an entry; throws if the text cannot be changed so. */
export function withoutEntry(text: string, place: EntryPlace): string {
  const { language, path } = place;
  return withinDepth(() => {
    const root = rootOf(text, place);
    const edited = language === 'json' ? (removeMember(text, path) ?? text) : removeTable(text, path);
    return checked(edited, place, changed(root, path, undefined));
  });
}

/** The result of `edit`; a text that is nested too deep for the parser is an error in words. */
function withinDepth(edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    throw error instanceof RangeError ? new Error('its values are nested too deep', { cause: error }) : error;
  }
}

function rootOf(text: string, { file, language }: EntryPlace): Entry {
  if (text.trim().replace('\uFEFF', '') === '') return {};
  const { root } = parseDocument(file, text, language);
  if (!isObject(root)) throw new Error('the file must contain an object');
  return root;
}

/**
 * The edited text, if it is read as the value that it must have: whatever a text looks like, nothing else in
 * it changes.
 */
function checked(text: string, place: EntryPlace, expected: Entry): string {
  const name = place.path.at(-1);
  let root: unknown;
  try {
    root = rootOf(text, place);
  } catch {
    root = undefined;
  }
  if (isDeepStrictEqual(plainOf(root), plainOf(expected))) return text;
  throw new Error(`the entry "${name}" is written in a form that mcp cannot change; change it in an editor`);
}

/** A value as JSON, without empty objects, which TOML need not have. */
function plainOf(value: unknown): unknown {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
  return text === undefined ? undefined : withoutEmpty(JSON.parse(text));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, each]) => [key, withoutEmpty(each)] as const);
  return Object.fromEntries(
    members.filter(([, each]) => !(isObject(each) && Object.keys(each).length === 0)),
  );
}

function changed(value: Entry, [key = '', ...rest]: readonly string[], entry: Entry | undefined): Entry {
  const { [key]: old, ...others } = value;
  if (rest.length > 0) return { ...others, [key]: changed(isObject(old) ? old : {}, rest, entry) };
  return entry === undefined ? others : { ...others, [key]: entry };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}
