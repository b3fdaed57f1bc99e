import { isObject } from '@mcp/kit';
import type { OpenApiDocument } from '../document/open-api-document.ts';
import { inside, type Json, keysOf, mistake } from '../document/place.ts';
import { isListOfText, isPattern, wrongData } from './data.ts';
import { type Kind, keywordKinds, knownFormats } from './keywords.ts';

const maxDepth = 64;
const maxSchemas = 20_000;
const maxNameLength = 64;

/** Whether values go to the API or come from it. */
export type Side = 'input' | 'output';

interface Definition {
  readonly name: string;
  converted: unknown;
}

/**
 * Converts schemas of the document to JSON Schema 2020-12 for one tool. Schemas that references lead to
 * become `definitions`, so that they may contain themselves.
 */
export class SchemaConverter {
  readonly #document: OpenApiDocument;
  readonly #side: Side;
  /** The definitions by the pointers of their schemas. */
  readonly #definitions = new Map<string, Definition>();
  readonly #names = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #left = maxSchemas;

  constructor(document: OpenApiDocument, side: Side) {
    this.#document = document;
    this.#side = side;
  }

  /** Throws an `Error` with the place for what is no schema, or cannot be converted. */
  convert(schema: unknown, pointer: string): unknown {
    const converted = this.#convert(schema, pointer, 0);
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) next();
    return converted;
  }

  /** The member `$defs` for the root of the tool's schema; empty if it needs none. */
  get definitions(): { readonly $defs?: Json } {
    if (this.#definitions.size === 0) return {};
    const entries = Array.from(this.#definitions.values(), (each) => [each.name, each.converted] as const);
    return { $defs: Object.fromEntries(entries) };
  }

  #convert(schema: unknown, pointer: string, depth: number): unknown {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) throw mistake(pointer, 'must be a schema: an object or a boolean');
    if (depth > maxDepth)
      throw mistake(pointer, `the schema is nested deeper than ${maxDepth}, or contains itself`);
    if (--this.#left < 0) throw mistake(pointer, `the schema has more than ${maxSchemas} parts`);
    const { $ref } = schema;
    const reference = typeof $ref === 'string' ? { $ref: this.#define($ref, pointer) } : {};
    if (this.#document.isOld && '$ref' in reference) return reference;
    return modern({ ...reference, ...this.#members(schema, pointer, depth + 1) }, schema);
  }

  #define($ref: string, from: string): string {
    const { value, pointer } = this.#document.follow($ref, from);
    let definition = this.#definitions.get(pointer);
    if (!definition) {
      const added: Definition = { name: this.#nameFor(pointer), converted: true };
      this.#definitions.set(pointer, added);
      this.#waiting.push(() => (added.converted = this.#convert(value, pointer, 0)));
      definition = added;
    }
    return `#/$defs/${definition.name}`;
  }

  #nameFor(pointer: string): string {
    const plain = (keysOf(pointer).at(-1) ?? 'document').replaceAll(/[^\w.-]/g, '_').slice(0, maxNameLength);
    let name = plain;
    for (let count = 2; this.#names.has(name); count++) name = `${plain}_${count}`;
    this.#names.add(name);
    return name;
  }

  #members(schema: Json, pointer: string, depth: number): Json {
    const members = Object.entries(this.#visible(schema)).flatMap(([keyword, value]) => {
      const kind = keywordKinds.get(keyword);
      if (kind === undefined || this.#isDropped(keyword, value)) return [];
      const converted = this.#member(kind, value, inside(pointer, keyword), depth);
      return [[this.#nameOf(keyword, schema), converted] as const];
    });
    return Object.fromEntries(members);
  }

  #member(kind: Kind, value: unknown, pointer: string, depth: number): unknown {
    const inner = (each: unknown, key: string | number) => this.#convert(each, inside(pointer, key), depth);
    switch (kind) {
      case 'schema':
        return this.#convert(value, pointer, depth);
      case 'list':
        if (!Array.isArray(value)) throw mistake(pointer, 'must be a list of schemas');
        return value.map(inner);
      case 'map':
        if (!isObject(value)) throw mistake(pointer, 'must be an object');
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each, name)]));
      default: {
        const wrong = wrongData(kind, value);
        if (wrong === undefined) return value;
        throw mistake(pointer, wrong);
      }
    }
  }

  /** The schema without properties that are not sent (`readOnly`), or not received (`writeOnly`). */
  #visible(schema: Json): Json {
    const { properties, required } = schema;
    if (!isObject(properties)) return schema;
    const keyword = this.#side === 'input' ? 'readOnly' : 'writeOnly';
    const isVisible = (name: string) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return !isObject(property) || property[keyword] !== true;
    };
    return {
      ...schema,
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isVisible(name))),
      ...(isListOfText(required) && { required: required.filter(isVisible) }),
    };
  }

  /**
   * Results are checked less strictly than their document says: APIs add and leave out properties without a
   * new document, and fill formats loosely. The tool would refuse their answers. Patterns of other languages
   * are dropped, because clients that compile schemas would refuse the tool.
   */
  #isDropped(keyword: string, value: unknown): boolean {
    if (keyword === 'required') return this.#side === 'output';
    if (keyword === 'pattern') return typeof value === 'string' && !isPattern(value);
    if (keyword === 'format') return this.#side === 'output' || !knownFormats.has(value);
    return this.#side === 'output' && value === false && /^(additional|unevaluated)Properties$/.test(keyword);
  }

  /** With a discriminator, alternatives often fit each other's values, of which `oneOf` would accept none. */
  #nameOf(keyword: string, schema: Json): string {
    const isLoose = this.#side === 'output' || schema['discriminator'] !== undefined;
    return keyword === 'oneOf' && isLoose && schema['anyOf'] === undefined ? 'anyOf' : keyword;
  }
}

/** A schema of OpenAPI 3.0 as one of 2020-12. Documents of 3.1 have its keywords, too, by mistake. */
function modern(converted: { [name: string]: unknown }, { nullable }: Json): Json {
  const schema = { ...converted };
  for (const [limit, exclusive] of limits) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] && typeof schema[limit] === 'number') {
      schema[exclusive] = schema[limit];
      delete schema[limit];
    } else delete schema[exclusive];
  }
  if (nullable !== true) return schema;
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const withNull =
    Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {};
  return { ...schema, type: [type, 'null'], ...withNull };
}

const limits = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;
