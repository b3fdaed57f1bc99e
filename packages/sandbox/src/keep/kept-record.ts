import type { Kind } from '../file-kind.ts';

/** One path of a kept change, in its state before the change. */
export interface KeptItem {
  /** The name of the entry in the change's directory. */
  readonly name: string;
  /** The real path. */
  readonly path: string;
  /** The entry's kind before the change; `absent` for nothing, `mode` if only the permissions changed. */
  readonly was: Kind | 'absent' | 'mode';
  readonly bytes: number;
  /** The permissions before the change, if only the permissions changed. */
  readonly mode?: number | undefined;
}

/** A line of a record: the head with name and time, a kept item, or the name of an item not kept any more. */
export type RecordLine =
  | { readonly what: string; readonly time: number }
  | KeptItem
  | { readonly given_up: string };

/** A kept change. */
export interface KeptRecord {
  readonly id: string;
  /** The name that the caller gave to the change. */
  readonly what: string;
  readonly time: Date;
  readonly bytes: number;
  readonly items: readonly KeptItem[];
}

/** Parses a record; ignores lines that were not written whole. Throws if the first line is missing. */
export function parseRecord(id: string, text: string): KeptRecord {
  const [head, ...lines] = text.split('\n').slice(0, -1).map(parsed);
  // Another server may have begun the change and not yet written this line. `KeepDirectory.find` catches the
  // error, and returns an empty record.
  if (!has(head, 'time'))
    throw new Error(`The record of the kept change ${id} is incomplete: its first line is missing`);
  const items = new Map<string, KeptItem>();
  for (const line of lines) {
    if (isItem(line)) items.set(line.name, line);
    else if (has(line, 'given_up')) items.delete(String(line.given_up));
  }
  const kept = [...items.values()];
  return {
    id,
    what: has(head, 'what') ? String(head.what) : '',
    time: new Date(Number(head.time)),
    bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
    items: kept,
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isItem(line: unknown): line is KeptItem {
  return has(line, 'name') && has(line, 'path') && has(line, 'was') && has(line, 'bytes');
}

function has<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
