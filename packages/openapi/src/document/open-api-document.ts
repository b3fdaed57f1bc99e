import { isObject, quoted } from '@mcp/kit';
import { inside, type Json, keysOf, mistake, type Place, shown } from './place.ts';

const maxReferences = 32;

/** An OpenAPI document whose version is supported, and whose local references all lead somewhere. */
export class OpenApiDocument {
  readonly root: Json;
  /** Whether it is of OpenAPI 3.0, whose schemas are no JSON Schema. */
  readonly isOld: boolean;

  constructor(root: unknown) {
    if (!isObject(root)) throw mistake('#', 'must be an object; parse the text of the document first');
    const { openapi, swagger } = root;
    if (typeof openapi !== 'string' || !/^3\.[01]\.\d+/.test(openapi)) {
      const [field, value] = swagger === undefined ? ['openapi', openapi] : ['swagger', swagger];
      const found = `"${field}" is ${value === undefined ? 'missing' : shown(value)}`;
      throw mistake('#', `${found}; expected "openapi" 3.0 or 3.1, to which tools convert other documents`);
    }
    this.root = root;
    this.isOld = openapi.startsWith('3.0');
    this.#refuseDangling();
  }

  /** Follows the references of an object. */
  resolve(value: unknown, pointer: string): Place {
    let place = { value, pointer };
    for (let count = 0; count < maxReferences; count++) {
      if (!isObject(place.value)) throw mistake(place.pointer, 'must be an object');
      const { $ref } = place.value;
      if (typeof $ref !== 'string') return { value: place.value, pointer: place.pointer };
      place = this.follow($ref, place.pointer);
    }
    throw mistake(pointer, 'its references lead to each other');
  }

  /** The value that a reference at the place `from` leads to, and the pointer of the value. */
  follow($ref: string, from: string): { readonly value: unknown; readonly pointer: string } {
    if (!/^#($|\/)/.test($ref)) {
      const text = `the reference ${quoted($ref)} leads out of the document, and nothing is fetched; bundle the documents`;
      throw mistake(from, text);
    }
    const keys = keysOf(decoded($ref));
    let value: unknown = this.root;
    for (const key of keys) {
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
      if (!isThere) throw mistake(from, `the reference ${quoted($ref)} leads to nothing`);
      value = (value as Json)[key];
    }
    return { value, pointer: inside('#', ...keys) };
  }

  #refuseDangling(): void {
    // A stack, because documents may be nested deeper than calls; each object once, because those that a
    // parser of YAML made may contain themselves.
    const seen = new Set<object>([this.root]);
    const waiting: Waiting[] = [{ value: this.root, pointer: '#', isMap: false }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { value, pointer, isMap } = next;
      const $ref = Array.isArray(value) || isMap ? undefined : (value as Json)['$ref'];
      if (typeof $ref === 'string' && /^#($|\/)/.test($ref)) this.follow($ref, pointer);
      // References below an `$id` are relative to its schema.
      if (!isMap && typeof (value as Json)['$id'] === 'string') continue;
      for (const [key, member] of Object.entries(value)) {
        if (typeof member !== 'object' || member === null || seen.has(member as object)) continue;
        if (!isMap && (dataKeys.has(key) || key.startsWith('x-'))) continue;
        seen.add(member as object);
        waiting.push({
          value: member as object,
          pointer: inside(pointer, key),
          isMap: !isMap && mapKeys.has(key),
        });
      }
    }
  }
}

interface Waiting {
  readonly value: object;
  readonly pointer: string;
  /** Whether the keys are names that an author chose. */
  readonly isMap: boolean;
}

/** The keys whose values are data, in which "$ref" is no reference. */
const dataKeys = new Set(['example', 'examples', 'default', 'const', 'enum', 'mapping', 'value']);
/** The keys whose values map chosen names to objects. */
const mapKeys = new Set(
  (
    'properties patternProperties dependentSchemas $defs definitions schemas responses requestBodies headers ' +
    'securitySchemes links callbacks pathItems paths webhooks content encoding variables'
  ).split(' '),
);

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
