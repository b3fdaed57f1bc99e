import { isObject } from '@mcp/kit';
import { lookUp } from '@mcp/vendors/content';
import { pascalCase } from './names.ts';
import {
  type Definition,
  intersectionOf,
  never,
  type ObjectShape,
  type PropertyShape,
  type Shape,
  unionOf,
  unknown,
} from './shape.ts';
import { withoutEndlessTypes } from './without-endless-types.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Deeper parts of a schema have the shape `unknown`. */
const maxDepth = 64;

/** Maximum number of shapes of one schema; what exceeds it has the shape `unknown`. */
const maxShapes = 5_000;

/** Maximum number of values in a union; a longer list becomes the types of its values. */
const maxValues = 500;

/**
 * The shapes of a schema, by their names: `name` for the whole, then one for each part to which a reference
 * leads, for which `claim` returns a free name. Every value that is valid under the schema has the shape.
 * Takes any schema: a keyword that shapes do not have, such as `not`, is left out, and a reference to another
 * document is `unknown`.
 * Two keywords are read as their authors mean them: `properties` and `items` without `type` describe objects
 * and lists; an object has no further properties where the schema does not mention them.
 */
export function definitionsOf(
  document: Schema,
  name: string,
  claim: (wanted: string) => string,
): ReadonlyMap<string, Definition> {
  const names = new Map([['#', name]]);
  const waiting: (readonly [name: string, schema: Schema])[] = [[name, document]];
  const reader = new ShapeReader(document, (reference) => {
    const known = names.get(reference);
    if (known !== undefined) return { kind: 'reference', name: known };
    const target = lookUp(document, reference);
    if (!target) return unknown;
    const given = claim(pascalCase(reference.slice(reference.lastIndexOf('/') + 1)));
    names.set(reference, given);
    waiting.push([given, target]);
    return { kind: 'reference', name: given };
  });
  const definitions = new Map<string, Definition>();
  for (const [each, schema] of waiting)
    definitions.set(each, { shape: reader.read(schema, 0), note: noteOf(schema) });
  return withoutEndlessTypes(definitions);
}

class ShapeReader {
  readonly #refer: (reference: string) => Shape;
  /** Before 2019-09, the keywords beside a reference are ignored. */
  readonly #refStandsAlone: boolean;
  #left = maxShapes;

  constructor({ $schema }: Schema, refer: (reference: string) => Shape) {
    this.#refer = refer;
    this.#refStandsAlone = typeof $schema === 'string' && $schema.includes('draft-0');
  }

  read(schema: unknown, depth: number): Shape {
    if (schema === false) return never;
    if (!isObject(schema) || depth > maxDepth || this.#left-- <= 0) return unknown;
    const { $ref, allOf, anyOf, oneOf } = schema;
    const referred = typeof $ref === 'string' ? [this.#refer($ref)] : [];
    if (referred.length > 0 && this.#refStandsAlone) return referred[0]!;
    const each = (members: unknown) => listOf(members).map((member) => this.read(member, depth + 1));
    const unions = [anyOf, oneOf].map(each).filter(({ length }) => length > 0);
    return intersectionOf([...referred, this.#own(schema, depth), ...each(allOf), ...unions.map(unionOf)]);
  }

  /** What the keywords of a schema say, without those that combine other schemas. */
  #own(schema: Schema, depth: number): Shape {
    if (Object.hasOwn(schema, 'const')) return this.#valuesOf([schema['const']], depth);
    const values = listOf(schema['enum']);
    if (values.length > 0) return this.#valuesOf(values, depth);
    const { type } = schema;
    const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : impliedTypes(schema);
    const shapes = types.map((each): Shape => {
      if (each === 'object') return this.#object(schema, depth);
      if (each === 'array') return this.#array(schema, depth);
      return scalars.get(each) ?? unknown;
    });
    return shapes.length === 0 ? unknown : unionOf(shapes);
  }

  #object(schema: Schema, depth: number): ObjectShape {
    const { additionalProperties, unevaluatedProperties } = schema;
    const known = isObject(schema['properties']) ? schema['properties'] : {};
    const required = new Set(listOf(schema['required']).filter((each) => typeof each === 'string'));
    const names = [...Object.keys(known), ...[...required].filter((each) => !Object.hasOwn(known, each))];
    const properties = names.flatMap((name): readonly PropertyShape[] => {
      if (this.#left <= 0 && !required.has(name)) return [];
      const property = Object.hasOwn(known, name) ? known[name] : {};
      const isOptional = !required.has(name);
      // For the compiler, every object has the method `toString`, so that this property is never missing.
      const isInherited = isOptional && name in Object.prototype;
      const shape = isInherited ? unknown : this.read(property, depth + 1);
      return [{ name, shape, isOptional, note: noteOf(property) }];
    });
    const patterns = Object.values(
      isObject(schema['patternProperties']) ? schema['patternProperties'] : {},
    ).map((each) => this.read(each, depth + 1));
    const others = additionalProperties ?? unevaluatedProperties;
    const further = others === undefined ? [] : [this.read(others, depth + 1)];
    const rests = [...patterns, ...further];
    if (this.#left <= 0) return { kind: 'object', properties, rest: unknown };
    const isSilent = rests.length === 0 && properties.length > 0;
    return { kind: 'object', properties, rest: isSilent ? undefined : unionOrUnknown(rests) };
  }

  #array(schema: Schema, depth: number): Shape {
    const { prefixItems, items, additionalItems, minItems } = schema;
    const first = Array.isArray(items) ? items : listOf(prefixItems);
    const others = Array.isArray(items) ? additionalItems : items;
    const rest = this.read(others, depth + 1);
    if (first.length === 0 || first.length > maxValues) {
      return { kind: 'array', items: first.length === 0 ? rest : unknown };
    }
    return {
      kind: 'tuple',
      items: first.map((each) => this.read(each, depth + 1)),
      minItems: typeof minItems === 'number' ? Math.max(0, Math.floor(minItems)) : 0,
      rest: rest.kind === 'never' ? undefined : rest,
    };
  }

  /** The shape of exactly these values. */
  #valuesOf(values: readonly unknown[], depth: number): Shape {
    if (values.length <= maxValues) return unionOf(values.map((value) => this.#valueOf(value, depth)));
    const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
    return unionOf([...types].map((type) => scalars.get(type) ?? unknown));
  }

  #valueOf(value: unknown, depth: number): Shape {
    if (depth > maxDepth || this.#left-- <= 0) return unknown;
    if (Array.isArray(value)) {
      const items = value.map((each) => this.#valueOf(each, depth + 1));
      return { kind: 'tuple', items, minItems: items.length, rest: undefined };
    }
    if (isObject(value)) {
      const properties = Object.entries(value).map(([name, each]) => {
        return { name, shape: this.#valueOf(each, depth + 1), isOptional: false, note: '' };
      });
      return { kind: 'object', properties, rest: never };
    }
    const isLiteral = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    return isLiteral ? { kind: 'literal', value: value as string } : unknown;
  }
}

const scalars: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ['string', { kind: 'string' }],
  ['number', { kind: 'number' }],
  ['integer', { kind: 'integer' }],
  ['boolean', { kind: 'boolean' }],
  ['null', { kind: 'literal', value: null }],
]);

const ofObjects = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const ofArrays = ['items', 'prefixItems'];

function impliedTypes(schema: Schema): readonly string[] {
  const has = (key: string) => Object.hasOwn(schema, key);
  return [...(ofObjects.some(has) ? ['object'] : []), ...(ofArrays.some(has) ? ['array'] : [])];
}

function unionOrUnknown(shapes: readonly Shape[]): Shape {
  return shapes.length === 0 ? unknown : unionOf(shapes);
}

function noteOf(schema: unknown): string {
  if (!isObject(schema)) return '';
  const { description, default: value } = schema;
  const text = typeof description === 'string' ? description.trim() : '';
  const given = value === undefined ? '' : JSON.stringify(value);
  if (given === '' || given.length > 80) return text;
  return text === '' ? `Default: ${given}` : `${text}\nDefault: ${given}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
