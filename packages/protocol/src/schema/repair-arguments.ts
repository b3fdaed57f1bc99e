import { isObject } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { alternativesOf, resolve, typeOf, typesOf } from './argument-schema.ts';

// Arguments are untrusted, so values beyond these limits of depth and number are not repaired.
const maxDepth = 32;
const maxValues = 100_000;

/**
 * Converts arguments that a model wrote in another form than the schema requires, if the meaning is
 * unambiguous:
 *
 * - `null` for an optional property that cannot be null: the property is removed
 * - decimal text for a number or integer, and `"true"` or `"false"` for a boolean
 * - JSON text for an array or object
 * - one value for an array of such values
 *
 * A value that already has an accepted type is never changed. Returns undefined when nothing was repaired.
 */
export function repairArguments(schema: JsonObject, args: JsonObject): JsonObject | undefined {
  const repaired = new Repair(schema).value(schema, args, 0);
  return repaired === args || !isObject(repaired) ? undefined : repaired;
}

/** Returned for a value that cannot be converted, or that can be converted to several different values. */
const noReading = Symbol('no reading');

class Repair {
  readonly #root: JsonObject;
  #left = maxValues;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Repairs `value` for the schema `part`; returns it unchanged if that is impossible or not needed. */
  value(part: unknown, value: unknown, depth: number): unknown {
    const schema = resolve(part, this.#root);
    if (!schema || depth > maxDepth || --this.#left < 0) return value;
    const alternatives = alternativesOf(schema);
    if (alternatives.length > 0 && !('properties' in schema)) {
      const read = this.#alternative(alternatives, value, depth);
      return read === noReading ? value : read;
    }
    const types = typesOf(schema, this.#root);
    if (isObject(value) && (types.length === 0 || types.includes('object'))) {
      return this.#object(schema, value, depth);
    }
    if (Array.isArray(value) && types.includes('array')) return this.#items(schema, value, depth);
    if (types.length === 0 || accepts(types, value)) return value;
    const read = this.#read(schema, types, value, depth);
    return read === noReading ? value : read;
  }

  // Converts the value for each alternative. If the results differ, the value stays as it is.
  #alternative(alternatives: readonly unknown[], value: unknown, depth: number): unknown {
    const all = alternatives.flatMap((each) => typesOf(each, this.#root));
    if (!isObject(value) && !Array.isArray(value) && accepts(all, value)) return noReading;
    const readings = new Map<string, unknown>();
    for (const each of alternatives) {
      const read = this.value(each, value, depth + 1);
      if (read !== value) readings.set(JSON.stringify(read), read);
    }
    const [first] = readings.values();
    return readings.size === 1 ? first : noReading;
  }

  #object(schema: JsonObject, value: JsonObject, depth: number): JsonObject {
    const { properties, required } = schema;
    if (!isObject(properties)) return value;
    const needed = Array.isArray(required) ? (required as unknown[]) : [];
    let repaired: JsonObject | undefined;
    for (const [name, member] of Object.entries(value)) {
      if (!Object.hasOwn(properties, name)) continue;
      const types = typesOf(properties[name], this.#root);
      if (member === null && types.length > 0 && !types.includes('null') && !needed.includes(name)) {
        repaired ??= { ...value };
        delete repaired[name];
        continue;
      }
      const read = this.value(properties[name], member, depth + 1);
      if (read === member) continue;
      repaired ??= { ...value };
      repaired[name] = read;
    }
    return repaired ?? value;
  }

  #items({ items }: JsonObject, values: readonly unknown[], depth: number): readonly unknown[] {
    if (!isObject(items)) return values;
    const repaired = values.map((value) => this.value(items, value, depth + 1));
    return repaired.some((value, index) => value !== values[index]) ? repaired : values;
  }

  #read(schema: JsonObject, types: readonly string[], value: unknown, depth: number): unknown {
    if (typeof value === 'string') {
      const read = readText(types, value);
      if (read !== noReading) return this.value(schema, read, depth + 1);
    }
    if (!types.includes('array')) return noReading;
    const { items } = schema;
    const one = this.value(items, value, depth + 1);
    const itemTypes = typesOf(items, this.#root);
    return itemTypes.length > 0 && accepts(itemTypes, one) ? [one] : noReading;
  }
}

function accepts(types: readonly string[], value: unknown): boolean {
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** Converts a text into a value of one of these types. The types do not include "string". */
function readText(types: readonly string[], text: string): unknown {
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.includes('number') || types.includes('integer')) {
    const number = readNumber(text);
    if (number !== undefined && accepts(types, number)) return number;
  }
  if (!/^\s*[[{]/.test(text)) return noReading;
  try {
    const json: unknown = JSON.parse(text);
    return accepts(types, json) ? json : noReading;
  } catch {
    return noReading;
  }
}

// A double represents each number of up to 15 significant digits so exactly that printing it gives the same
// digits. Text with more digits is converted only if it is an integer that a double represents exactly.
const maxDigits = 15;

function readNumber(text: string): number | undefined {
  const [, whole, fraction = ''] = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '').length;
  const number = Number(text);
  return digits <= maxDigits || (Number.isSafeInteger(number) && fraction === '') ? number : undefined;
}
