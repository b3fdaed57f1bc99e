import type { Path, SyntaxMistake } from '@mcp/kit/jsonc';
import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from 'js-yaml';
import { positionAt } from '@mcp/kit/jsonc';

/** A place in a text; both numbers count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A text of YAML 1.2, which JSON is too, as values of JSON. */
export interface YamlDocument {
  readonly root: unknown;
  /** The place of a key or an item. If the text lacks it, the place of the innermost one around it. */
  positionOf(path: Path): Position;
}

/** Maximum number of values, each counted as often as aliases repeat it. */
const maxValues = 1_000_000;

/** Reads a text with one document; an empty text is the value `null`. */
export function readYaml(text: string): YamlDocument | { readonly mistake: SyntaxMistake } {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    const events = parseEvents(source, {});
    const [root = null, ...others] = constructFromEvents(events, { source });
    if (others.length > 0) throw new Error('the file has more than one document; expected one');
    assertJson(root, { values: 0 });
    let offsets: ReadonlyMap<string, number> | undefined;
    return {
      root,
      positionOf(path) {
        offsets ??= offsetsOf(events, source);
        for (let length = path.length; length > 0; length--) {
          const offset = offsets.get(keyOf(path.slice(0, length)));
          if (offset !== undefined) return positionAt(source, offset);
        }
        return { line: 1, column: 1 };
      },
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const mark = error instanceof YAMLException ? error.mark : undefined;
    const message =
      error instanceof YAMLException
        ? `YAML: ${error.reason}`
        : error instanceof RangeError
          ? 'its aliases contain themselves'
          : error.message;
    return { mistake: { message, line: (mark?.line ?? 0) + 1, column: (mark?.column ?? 0) + 1 } };
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

interface Open {
  readonly path: Path;
  /** The index of the next item of a list; undefined in an object. */
  index: number | undefined;
  /** The key in an object whose value is next; undefined if a key is next. */
  key: string | undefined;
}

/** The offset of each key and each item, by its path. */
function offsetsOf(events: readonly Event[], source: string): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  const open: Open[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) open.pop();
    if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) continue;
    const around = open.at(-1);
    if (around && around.index === undefined && around.key === undefined) {
      around.key = event.type === EVENT_ID.SCALAR ? getScalarValue(source, event) : '';
      offsets.set(keyOf([...around.path, around.key]), offsetOf(event));
      continue;
    }
    const step = around && (around.index ?? around.key!);
    const path = around && step !== undefined ? [...around.path, step] : [];
    if (around?.index !== undefined) {
      offsets.set(keyOf(path), offsetOf(event));
      around.index++;
    } else if (around) around.key = undefined;
    if (event.type === EVENT_ID.SEQUENCE) open.push({ path, index: 0, key: undefined });
    if (event.type === EVENT_ID.MAPPING) open.push({ path, index: undefined, key: undefined });
  }
  return offsets;
}

/** The offset at which a value begins, with its quote. */
function offsetOf(event: Exclude<Event, { readonly type: 1 | 6 }>): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  const isQuoted = event.style === 2 || event.style === 3;
  return Math.max(0, event.valueStart - (isQuoted ? 1 : 0));
}

/** Refuses numbers that JSON does not have, and aliases that stand for too many values. */
function assertJson(value: unknown, count: { values: number }): void {
  if (++count.values > maxValues) throw new Error('its aliases stand for too many values');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`JSON has no number ${value}`);
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) assertJson(each, count);
}
