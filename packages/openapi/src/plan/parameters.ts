import { isObject } from '@mcp/kit';
import type { OpenApiDocument } from '../document/open-api-document.ts';
import type { FoundOperation } from '../document/operations.ts';
import { inside, mistake, type Place } from '../document/place.ts';
import { type ParameterPlace, type Style, styles } from './styles.ts';
import { type Argument, isJsonType } from './argument.ts';
import { refusePath } from './path.ts';

/** Headers that the specification tells to ignore, because other parts of the document describe them. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);
/** Headers that would change how the request is read, or where it goes. */
const framingHeaders = new Set(
  'connection content-length cookie expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

/** The parameters of an operation: its own replace those of its path with the same name and place. */
export function parametersOf(document: OpenApiDocument, operation: FoundOperation): Argument[] {
  const found = new Map<string, Argument>();
  for (const { value, pointer } of operation.parameters) {
    const argument = argumentOf(document.resolve(value, pointer));
    if (argument) found.set(`${argument.place} ${nameOf(argument)}`, argument);
  }
  const { path, pointer } = operation;
  refusePath(path, pointer);
  const inPath = new Set(Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name));
  for (const { place, key } of found.values()) {
    if (place === 'path' && !inPath.delete(key)) throw mistake(pointer, `its path has no "{${key}}"`);
  }
  for (const name of inPath) throw mistake(pointer, `no parameter describes "{${name}}" of its path`);
  return [...found.values()];
}

/** The name by which a parameter is the same as another: the case of headers does not matter. */
function nameOf({ place, key }: Argument): string {
  return place === 'header' ? key.toLowerCase() : key;
}

function argumentOf({ value, pointer }: Place): Argument | undefined {
  const { name, in: place, description, required } = value;
  if (typeof name !== 'string' || name === '') throw mistake(inside(pointer, 'name'), 'must be a string');
  if (!isPlace(place))
    throw mistake(inside(pointer, 'in'), `must be one of ${Object.keys(styles).join(', ')}`);
  const lower = name.toLowerCase();
  if (place === 'header' && ignoredHeaders.has(lower)) return undefined;
  if ((place === 'header' || place === 'cookie') && !/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
    throw mistake(inside(pointer, 'name'), `no ${place} can have this name`);
  }
  if (place === 'header' && framingHeaders.has(lower)) {
    throw mistake(pointer, `an argument cannot be the header "${name}"`);
  }
  const { schema, isJson } = schemaOf({ value, pointer });
  return {
    place,
    key: name,
    schema,
    description: typeof description === 'string' ? description : undefined,
    required: required === true || place === 'path',
    style: styleOf({ value, pointer }, place, isJson),
  };
}

function isPlace(value: unknown): value is ParameterPlace {
  return typeof value === 'string' && Object.hasOwn(styles, value);
}

function schemaOf({ value, pointer }: Place): { schema: Argument['schema']; isJson: boolean } {
  const { schema, content } = value;
  if (schema !== undefined)
    return { schema: { value: schema, pointer: inside(pointer, 'schema') }, isJson: false };
  const [type = '', media] = isObject(content) ? (Object.entries(content)[0] ?? []) : [];
  if (!isObject(media)) throw mistake(pointer, 'needs a "schema", or a "content" with a media type');
  const here = inside(pointer, 'content', type, 'schema');
  return { schema: { value: media['schema'] ?? {}, pointer: here }, isJson: isJsonType(type) };
}

/** The style that a Parameter Object or an Encoding Object declares, or the default of its place. */
export function styleOf({ value, pointer }: Place, place: ParameterPlace, isJson: boolean): Style {
  const allowed: readonly Style['style'][] = styles[place];
  const { style = allowed[0], explode = style === 'form', allowReserved } = value;
  const known = allowed.find((each) => each === style);
  if (known === undefined) throw mistake(inside(pointer, 'style'), `must be one of ${allowed.join(', ')}`);
  if (typeof explode !== 'boolean') throw mistake(inside(pointer, 'explode'), 'must be a boolean');
  return { style: known, explode, allowReserved: allowReserved === true && place === 'query', isJson };
}
