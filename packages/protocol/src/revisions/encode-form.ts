import type { JsonObject } from '../jsonrpc/message.ts';
import type { Revision } from './revision.ts';

type Choice = { readonly const: string; readonly title: string };

/** The keywords that a form's field may have besides its title and description, by the field's type. */
const words = new Map<unknown, readonly string[]>([
  ['string', ['minLength', 'maxLength', 'format', 'enum', 'default']],
  ['number', ['minimum', 'maximum', 'default']],
  ['integer', ['minimum', 'maximum', 'default']],
  ['boolean', ['default']],
  ['array', ['minItems', 'maxItems', 'default']],
]);

const formats = new Set<unknown>(['email', 'uri', 'date', 'date-time']);

/**
 * A form's schema with only the keywords that a revision allows. Answers are validated against all keywords.
 */
export function encodeForm(revision: Revision, schema: JsonObject): JsonObject {
  const properties = (schema['properties'] ?? {}) as { [name: string]: JsonObject };
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    encodeField(revision, name, field),
  ]);
  return { ...schema, properties: Object.fromEntries(fields) as JsonObject };
}

function encodeField(revision: Revision, name: string, field: JsonObject): JsonObject {
  const full = revision.elicitation === 'full';
  const choices = choicesIn(field);
  const type = choices ? 'string' : field['type'];
  const known = words.get(type);
  const items = type === 'array' ? encodeItems((field['items'] ?? {}) as JsonObject) : undefined;
  if (!known || (type === 'array' && !items)) {
    throw new Error(`Invalid field "${name}" of a form; expected a string, number, boolean or choice`);
  }
  if (items && !full) {
    throw new Error(
      `Choosing several values ("${name}") is not part of protocol version ${revision.version}`,
    );
  }
  const encoded: JsonObject = { type };
  for (const word of ['title', 'description', ...known]) {
    const value = field[word];
    if (value === undefined || (word === 'format' && !formats.has(value))) continue;
    // Revision 2025-06-18 allows `default` only for a boolean.
    if (word === 'default' && !full && type !== 'boolean') continue;
    encoded[word] = value;
  }
  if (items) encoded['items'] = items;
  if (!choices) return encoded;
  const { enum: _, ...titled } = encoded;
  return { ...titled, ...encodeChoices(full && field['enumNames'] === undefined, choices) };
}

// If `full` is true, the titles of choices are sent in `oneOf`, which older revisions do not have. If the
// author of the form wrote the titles in `enumNames`, they stay there in every revision: newer revisions
// still allow it.
function encodeChoices(full: boolean, choices: readonly Choice[]): JsonObject {
  if (full) return { oneOf: choices };
  return { enum: choices.map((choice) => choice.const), enumNames: choices.map(({ title }) => title) };
}

function encodeItems(items: JsonObject): JsonObject | undefined {
  const choices = choicesIn(items);
  if (choices) return { anyOf: choices };
  const { enum: values } = items;
  return values === undefined ? undefined : { type: 'string', enum: values };
}

/** The choices of a schema and their titles: from `enum` with `enumNames`, `oneOf` or `anyOf`. */
function choicesIn(schema: JsonObject): readonly Choice[] | undefined {
  const { enum: values, enumNames } = schema as { enum?: readonly string[]; enumNames?: readonly string[] };
  if (values && enumNames) {
    return values.map((value, index) => ({ const: value, title: enumNames[index] ?? value }));
  }
  const titled = (schema['oneOf'] ?? schema['anyOf']) as readonly JsonObject[] | undefined;
  if (!titled?.every(isChoice)) return undefined;
  return titled.map(({ const: value, title }) => ({ const: value, title: title ?? value }));
}

function isChoice(schema: JsonObject): schema is { const: string; title?: string } {
  return typeof schema['const'] === 'string';
}
