import { isObject, quoted } from '@mcp/kit';
import type { OpenApiDocument } from '../document/open-api-document.ts';
import type { FoundOperation } from '../document/operations.ts';
import { inside, type Json, mistake, type Place } from '../document/place.ts';
import { type Argument, isJsonType } from './argument.ts';
import { styleOf } from './parameters.ts';

/** How the body of a request is made. */
export interface Body {
  /** The media type that is sent. */
  readonly type: string;
  readonly required: boolean;
  /** Whether the arguments are the properties of the body; otherwise, the one argument is the body. */
  readonly isFlat: boolean;
  readonly arguments: readonly Argument[];
}

const formType = 'application/x-www-form-urlencoded';

/** The body of an operation; undefined if it has none, or if `fetch` cannot send one with the method. */
export function bodyOf(document: OpenApiDocument, operation: FoundOperation): Body | undefined {
  const { requestBody } = operation.value;
  if (requestBody === undefined || operation.method === 'GET' || operation.method === 'HEAD')
    return undefined;
  const { value, pointer } = document.resolve(requestBody, inside(operation.pointer, 'requestBody'));
  const here = inside(pointer, 'content');
  const { content } = value;
  if (!isObject(content)) throw mistake(here, 'must be an object');
  const names = Object.keys(content);
  const type =
    names.find(isJsonType) ?? names.find((name) => /^(text\/plain|application\/x-www-form-u.*)$/i.test(name));
  if (type === undefined) {
    const found = names.map((name) => quoted(name, 100)).join(', ');
    throw mistake(
      here,
      `none of these media types can be sent: ${found}; only JSON, ${formType} and text/plain can`,
    );
  }
  const media = content[type];
  if (!isObject(media)) throw mistake(inside(here, type), 'must be an object');
  const schema = { value: media['schema'] ?? {}, pointer: inside(here, type, 'schema') };
  const required = value['required'] === true;
  const plain = type.startsWith('text/') ? undefined : plainObject(document, schema, required);
  const isForm = !isJsonType(type) && !type.startsWith('text/');
  if (isForm && !plain)
    throw mistake(schema.pointer, 'a form needs a schema of an object with "properties" alone');
  const description = typeof value['description'] === 'string' ? value['description'] : undefined;
  const whole = { place: 'body', key: 'body', schema, description, required, style: undefined } as const;
  const encoding = isForm ? { value: media, pointer: inside(here, type) } : undefined;
  return {
    type,
    required,
    isFlat: plain !== undefined,
    arguments: plain ? propertiesOf(plain, encoding) : [whole],
  };
}

/** The keywords of a schema whose properties can be arguments, because nothing else restricts the object. */
const plainKeywords =
  /^(type|properties|required|title|description|example|examples|deprecated|externalDocs|xml|x-.*)$/;

function plainObject(
  document: OpenApiDocument,
  schema: Argument['schema'],
  required: boolean,
): Place | undefined {
  if (!isObject(schema.value)) return undefined;
  const { $ref, ...beside } = schema.value;
  if ($ref !== undefined && !Object.keys(beside).every((key) => plainKeywords.test(key))) return undefined;
  const { value, pointer } = document.resolve(schema.value, schema.pointer);
  const { type = 'object', properties, additionalProperties = false, required: names = [], ...rest } = value;
  if (type !== 'object' || additionalProperties !== false || !isObject(properties)) return undefined;
  if (!Object.keys(rest).every((key) => plainKeywords.test(key))) return undefined;
  // Properties that are required only if there is a body cannot be arguments: those are required or not.
  const isPossible = Array.isArray(names) && (required || names.length === 0);
  return isPossible && Object.keys(properties).length > 0 ? { value, pointer } : undefined;
}

function propertiesOf({ value, pointer }: Place, media: Place | undefined): Argument[] {
  const names = new Set(value['required'] as unknown[] | undefined);
  return Object.entries(value['properties'] as Json)
    .filter(([, schema]) => !isObject(schema) || schema['readOnly'] !== true)
    .map(([key, schema]) => ({
      place: 'body',
      key,
      schema: { value: schema, pointer: inside(pointer, 'properties', key) },
      description: undefined,
      required: names.has(key),
      style: media && encodingOf(media, key),
    }));
}

function encodingOf({ value: { encoding }, pointer }: Place, key: string): Argument['style'] {
  const value = isObject(encoding) && Object.hasOwn(encoding, key) ? encoding[key] : undefined;
  if (!isObject(value) || !('style' in value || 'explode' in value || 'allowReserved' in value))
    return undefined;
  return styleOf({ value, pointer: inside(pointer, 'encoding', key) }, 'query', false);
}
