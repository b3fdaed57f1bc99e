import { isObject } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { eachSchema } from './each-schema.ts';

/** An argument that clients also send as an HTTP header, for proxies that route without reading the body. */
export interface MirroredArgument {
  /** The name of the header in lower case, with its prefix `mcp-param-`. */
  readonly header: string;
  /** The path of the argument: the keys from the root of the arguments. */
  readonly path: readonly string[];
}

const mark = 'x-mcp-header';
const none: readonly MirroredArgument[] = [];
const found = new WeakMap<JsonObject, readonly MirroredArgument[]>();

/**
 * The arguments that an input schema marks with `x-mcp-header`. Throws an `Error` for an invalid
 * `x-mcp-header`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */
export function mirroredArguments(schema: JsonObject): readonly MirroredArgument[] {
  let all = found.get(schema);
  if (!all) {
    const marks = count(schema);
    all = marks === 0 ? none : [...collect(schema, [])];
    if (marks > all.length) {
      throw new Error(
        `"${mark}" is allowed only on properties directly under "properties", not in "items", "anyOf" or "$defs"`,
      );
    }
    refuseTwice(all);
    found.set(schema, all);
  }
  return all;
}

function* collect(schema: JsonObject, path: readonly string[]): Generator<MirroredArgument> {
  for (const [name, property] of Object.entries(schema['properties'] ?? {})) {
    if (!isObject(property)) continue;
    const here = [...path, name];
    const header = property[mark];
    if (header !== undefined) yield { header: headerName(header, property['type'], here), path: here };
    yield* collect(property, here);
  }
}

function headerName(header: unknown, type: unknown, path: readonly string[]): string {
  if (typeof header !== 'string' || !/^[!#$%&'*+.^_`|~\w-]+$/.test(header)) {
    throw new Error(
      `Invalid "${mark}" of "${path.join('.')}": ${JSON.stringify(header)}; expected a header name`,
    );
  }
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    throw new Error(`"${mark}" requires a string, integer or boolean; "${path.join('.')}" has another type`);
  }
  return `mcp-param-${header.toLowerCase()}`;
}

/** The number of schemas that carry `x-mcp-header`, at any depth. */
function count(schema: JsonObject): number {
  let sum = 0;
  eachSchema<unknown>(schema, undefined, (each) => void (sum += each[mark] === undefined ? 0 : 1));
  return sum;
}

/** The value at a path of keys within the arguments of a call. */
export function valueAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    args,
  );
}

function refuseTwice(all: readonly MirroredArgument[]): void {
  const seen = new Set<string>();
  for (const { header } of all) {
    if (seen.has(header))
      throw new Error(`Two arguments have the header "${header}"; expected a different "${mark}" for each`);
    seen.add(header);
  }
}
