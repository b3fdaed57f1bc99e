/** What the values of a JSON Schema look like, with the means that types of TypeScript have. */
export type Shape =
  | { readonly kind: 'unknown' | 'never' | 'string' | 'number' | 'integer' | 'boolean' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'array'; readonly items: Shape }
  | TupleShape
  | ObjectShape
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly Shape[] }
  | { readonly kind: 'reference'; readonly name: string };

/** An array whose first items have shapes of their own; items from `minItems` on may be missing. */
export interface TupleShape {
  readonly kind: 'tuple';
  readonly items: readonly Shape[];
  readonly minItems: number;
  /** The shape of the items after `items`; undefined if there are none. */
  readonly rest: Shape | undefined;
}

export interface ObjectShape {
  readonly kind: 'object';
  readonly properties: readonly PropertyShape[];
  /** The shape of all other properties; undefined if the schema says nothing about them. */
  readonly rest: Shape | undefined;
}

export interface PropertyShape {
  readonly name: string;
  readonly shape: Shape;
  readonly isOptional: boolean;
  /** The description and the default of the property; empty if it has neither. */
  readonly note: string;
}

/** The shape of a schema, or of a part of it to which a reference leads. */
export interface Definition {
  readonly shape: Shape;
  readonly note: string;
}

export const unknown: Shape = { kind: 'unknown' };
export const never: Shape = { kind: 'never' };
export const anyObject: Shape = { kind: 'object', properties: [], rest: unknown };

/** Whether a shape says nothing but that a value is an object. */
export function isAnyObject(shape: Shape): boolean {
  return shape.kind === 'object' && shape.properties.length === 0 && shape.rest?.kind === 'unknown';
}

/** The shape of values that have one of the given shapes. */
export function unionOf(shapes: readonly Shape[]): Shape {
  if (shapes.some(({ kind }) => kind === 'unknown')) return unknown;
  const members = shapes
    .filter(({ kind }) => kind !== 'never')
    .flatMap((each) => (each.kind === 'union' ? each.members : [each]));
  if (members.length === 0) return never;
  return members.length === 1 ? members[0]! : { kind: 'union', members };
}

/** The shape of values that have all of the given shapes. */
export function intersectionOf(shapes: readonly Shape[]): Shape {
  if (shapes.some(({ kind }) => kind === 'never')) return never;
  const telling = shapes.filter(({ kind }) => kind !== 'unknown');
  const special = telling.filter((each) => !isAnyObject(each));
  const members = special.length > 0 ? special : telling.slice(0, 1);
  if (members.length === 0) return unknown;
  return members.length === 1 ? members[0]! : { kind: 'intersection', members };
}
