import { isObject } from '@mcp/kit';
import type { OpenApiDocument } from '../document/open-api-document.ts';
import { inside, type Json, keysOf, mistake, shown } from '../document/place.ts';
import { keywordKinds, knownFormats, types } from './keywords.ts';

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
    return { ...reference, ...this.#members(schema, pointer, depth) };
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
    const hidden = this.#hiddenIn(schema);
    const members: [string, unknown][] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      const here = inside(pointer, keyword);
      const inner = (each: unknown, key: string | number) =>
        this.#convert(each, inside(here, key), depth + 1);
      switch (keywordKinds.get(keyword)) {
        case 'schema':
          if (!this.#isDropped(keyword, value))
            members.push([keyword, this.#convert(value, here, depth + 1)]);
          break;
        case 'list':
          if (!Array.isArray(value)) throw mistake(here, 'must be a list of schemas');
          members.push([this.#listName(keyword, schema), value.map((each, index) => inner(each, index))]);
          break;
        case 'map': {
          if (!isObject(value)) throw mistake(here, 'must be an object');
          const entries = Object.entries(value).filter(
            ([name]) => keyword !== 'properties' || !hidden.has(name),
          );
          members.push([
            keyword,
            Object.fromEntries(entries.map(([name, each]) => [name, inner(each, name)])),
          ]);
          break;
        }
        case 'names':
          if (!isListOfText(value)) throw mistake(here, 'must be a list of strings');
          members.push([keyword, value.filter((name) => !hidden.has(name))]);
          break;
        case 'data':
          if (!this.#isDropped(keyword, value)) members.push([keyword, checkedData(keyword, value, here)]);
          break;
        case undefined:
      }
    }
    const converted = Object.fromEntries(members);
    return this.#document.isOld ? modern(converted, schema) : converted;
  }

  /** The properties that are not sent (`readOnly`), or not received (`writeOnly`). */
  #hiddenIn({ properties }: Json): ReadonlySet<string> {
    const keyword = this.#side === 'input' ? 'readOnly' : 'writeOnly';
    const all = isObject(properties) ? Object.entries(properties) : [];
    return new Set(all.filter(([, each]) => isObject(each) && each[keyword] === true).map(([name]) => name));
  }

  /**
   * Results are checked less strictly than their document says: an API adds properties without a new
   * document, and fills formats loosely. The tool would refuse its answers.
   */
  #isDropped(keyword: string, value: unknown): boolean {
    if (keyword === 'format') return this.#side === 'output' || !knownFormats.has(value);
    return this.#side === 'output' && value === false && /^(additional|unevaluated)Properties$/.test(keyword);
  }

  /** With a discriminator, alternatives often fit each other's values, of which `oneOf` would accept none. */
  #listName(keyword: string, schema: Json): string {
    const isLoose = this.#side === 'output' || schema['discriminator'] !== undefined;
    return keyword === 'oneOf' && isLoose && schema['anyOf'] === undefined ? 'anyOf' : keyword;
  }
}

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function checkedData(keyword: string, value: unknown, pointer: string): unknown {
  if (keyword === 'enum' && !Array.isArray(value)) throw mistake(pointer, 'must be a list');
  if (keyword !== 'type') return value;
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const wrong = all.find((each) => !types.has(each));
  if (wrong === undefined) return value;
  throw mistake(pointer, `${shown(wrong)} is no type of JSON Schema`);
}

/** A schema of OpenAPI 3.0 as one of 2020-12. */
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
