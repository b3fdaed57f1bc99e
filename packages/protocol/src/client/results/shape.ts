import { isObject } from '@mcp/kit';
import { type JsonObject } from '../../jsonrpc/message.ts';

/** Describes how the value at `path` differs from a shape; undefined if it matches. */
export type Shape = (value: unknown, path: string) => string | undefined;

/**
 * The shapes of an object's fields. A field is optional if its name here ends with `?`. Other fields are
 * ignored.
 */
export type Fields = { readonly [name: string]: Shape };

const isType =
  (type: 'string' | 'number' | 'boolean', article: string): Shape =>
  (value, path) =>
    typeof value === type ? undefined : `"${path}" must be ${article} ${type}`;

export const text = isType('string', 'a');
export const number = isType('number', 'a');
export const flag = isType('boolean', 'a');
export const object: Shape = (value, path) => (isObject(value) ? undefined : `"${path}" must be an object`);

export function oneOf(...values: readonly string[]): Shape {
  return (value, path) =>
    values.some((each) => each === value) ? undefined : `"${path}" must be one of ${values.join(', ')}`;
}

export function listOf(item: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return `"${path}" must be a list`;
    for (let index = 0; index < value.length; index++) {
      const wrong = item(value[index], `${path}.${index}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

export function fields(shapes: Fields): Shape {
  const all = Object.entries(shapes).map(([name, shape]) => {
    const optional = name.endsWith('?');
    return { name: optional ? name.slice(0, -1) : name, shape, optional };
  });
  return (value, path) => {
    if (!isObject(value)) return `"${path}" must be an object`;
    for (const { name, shape, optional } of all) {
      const field = value[name];
      if (field === undefined && optional) continue;
      const wrong = shape(field, path === '' ? name : `${path}.${name}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

/** A union that is discriminated by the field `type`. */
export function byType(shapes: { readonly [type: string]: Shape }): Shape {
  const known = new Map(Object.entries(shapes));
  return (value, path) => {
    if (!isObject(value)) return `"${path}" must be an object`;
    const { type } = value as JsonObject;
    const shape = typeof type === 'string' ? known.get(type) : undefined;
    return shape ? shape(value, path) : `"${path}.type" must be one of ${[...known.keys()].join(', ')}`;
  };
}

/** Matches one of two shapes; otherwise describes the difference from the first. */
export function either(first: Shape, second: Shape): Shape {
  return (value, path) => {
    const wrong = first(value, path);
    return wrong === undefined || second(value, path) === undefined ? undefined : wrong;
  };
}
