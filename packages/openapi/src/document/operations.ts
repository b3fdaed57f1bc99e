import { isObject, quoted } from '@mcp/kit';
import type { OpenApiDocument } from './open-api-document.ts';
import { inside, type Json, mistake, type Place } from './place.ts';

/** An operation of the document, as `select.where` gets it. */
export interface Operation {
  /** The `operationId`; without one, the method and the path: `GET /pets/{id}`. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
}

/** An operation, its place in the document, and the parameters of its path and of itself. */
export interface FoundOperation extends Operation, Place {
  readonly parameters: readonly { readonly value: unknown; readonly pointer: string }[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** All operations of the document. Throws an `Error` with the place of a value that is not an operation. */
export function operationsOf(document: OpenApiDocument): FoundOperation[] {
  const { paths = {} } = document.root;
  if (!isObject(paths)) throw mistake('#/paths', 'must be an object');
  const found = Object.entries(paths).flatMap(([path, value]) => {
    if (path.startsWith('x-')) return [];
    const pointer = inside('#/paths', path);
    if (!path.startsWith('/')) throw mistake(pointer, 'a path must begin with "/"');
    const item = document.resolve(value, pointer);
    return methods
      .filter((method) => Object.hasOwn(item.value, method))
      .map((method) => operationOf(method, path, item));
  });
  refuseTwice(found);
  return found;
}

function operationOf(method: string, path: string, item: Place): FoundOperation {
  const pointer = inside(item.pointer, method);
  const value = item.value[method];
  if (!isObject(value)) throw mistake(pointer, 'must be an object');
  const { operationId, tags = [], deprecated } = value;
  const isText = (each: unknown) => typeof each === 'string';
  if (operationId !== undefined && !isText(operationId)) {
    throw mistake(inside(pointer, 'operationId'), 'must be a string');
  }
  if (!Array.isArray(tags) || !tags.every(isText)) {
    throw mistake(inside(pointer, 'tags'), 'must be a list of strings');
  }
  for (const name of ['requestBody', 'responses']) {
    if (value[name] !== undefined && !isObject(value[name])) {
      throw mistake(inside(pointer, name), 'must be an object');
    }
  }
  return {
    id: typeof operationId === 'string' ? operationId : `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    tags: tags as string[],
    summary: textOf(value, 'summary', pointer),
    description: textOf(value, 'description', pointer),
    deprecated: deprecated === true,
    value,
    pointer,
    parameters: [...parametersOf(item.value, item.pointer), ...parametersOf(value, pointer)],
  };
}

function textOf(value: Json, name: string, pointer: string): string {
  const text = value[name] ?? '';
  if (typeof text !== 'string') throw mistake(inside(pointer, name), 'must be a string');
  return text;
}

function parametersOf({ parameters = [] }: Json, pointer: string): FoundOperation['parameters'] {
  const here = inside(pointer, 'parameters');
  if (!Array.isArray(parameters)) throw mistake(here, 'must be a list');
  return parameters.map((value: unknown, index) => ({ value, pointer: inside(here, index) }));
}

function refuseTwice(operations: readonly FoundOperation[]): void {
  const places = new Map<string, string>();
  for (const { id, pointer } of operations) {
    const first = places.get(id);
    if (first !== undefined) {
      throw mistake(pointer, `the operationId ${quoted(id)} is also that of ${quoted(first)}`);
    }
    places.set(id, pointer);
  }
}
