import { isObject } from '@mcp/kit';
import type { Budget } from './budget.ts';
import { type ReferenceKeyword } from './check.ts';
import { defaultDialect, type Dialect, dialectOf, unsupportedDialect } from '../dialects.ts';
import { eachSchema } from '../each-schema.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';

interface InDialect {
  readonly dialect: Dialect;
  /** The error text if the dialect is not supported; otherwise undefined. */
  readonly unsupported: string | undefined;
}

/**
 * A schema resource, which references are resolved against: the whole document, or a schema within it that
 * has an `$id`. A schema with `$schema` but no `$id` gets a copy of the enclosing resource that differs only
 * in the dialect.
 */
export interface SchemaResource extends InDialect {
  readonly uri: string;
  readonly root: unknown;
  /** Subschemas by their `$anchor` or `$dynamicAnchor`. */
  readonly anchors: Map<string, unknown>;
  readonly dynamicAnchors: Map<string, unknown>;
  /** The schemas that references were already resolved to, by reference. */
  readonly resolved: Map<string, unknown>;
}

/** Stands for a schema in another document: it matches, and evaluates, every part of a value. */
export const unknownSchema: JsonObject = { unevaluatedProperties: true, unevaluatedItems: true };

/** The base URI of a document without an `$id`. */
const documentUri = 'document://schema/';

/** The schemas of one document, by their references. */
export class References {
  readonly #resources = new Map<string, SchemaResource>();
  readonly #resourceOf = new Map<object, SchemaResource>();
  readonly #document: SchemaResource;
  /** The error text for an unsupported dialect in a part of the document; undefined if there is none. */
  unsupported: string | undefined;

  constructor(document: unknown, budget: Budget) {
    const found = dialectIn(document, { dialect: defaultDialect, unsupported: undefined });
    const uri = uriOf(document, documentUri, found.dialect) ?? documentUri;
    this.#document = this.#addResource(document, uri, found);
    eachSchema(
      document,
      this.#document,
      (schema, outer, isKnown) => {
        const resource = this.#addSchema(schema, outer, budget);
        if (isKnown) this.unsupported ??= resource.unsupported;
        return resource;
      },
      (steps) => budget.spend(steps),
    );
  }

  /** The resource to which a schema belongs. Sets `unsupported` if the schema has an unsupported dialect. */
  enter(schema: JsonObject): SchemaResource {
    const resource = this.#resourceOf.get(schema) ?? this.#document;
    this.unsupported ??= resource.unsupported;
    return resource;
  }

  /**
   * The schema that a reference leads to; `unknownSchema` if it is in another document. `scope` lists the
   * resources of the schemas that are being checked, the outermost first (the dynamic scope of JSON Schema);
   * the reference is relative to the last.
   */
  resolve(
    keyword: ReferenceKeyword,
    reference: string,
    scope: readonly SchemaResource[],
    budget: Budget,
  ): unknown {
    budget.spend(1);
    budget.compare(reference.length);
    const found = this.#resolve(reference, scope.at(-1) ?? this.#document);
    if (keyword === '$ref' || !isObject(found)) return found;
    budget.spend(scope.length);
    if (keyword === '$recursiveRef') {
      if (found['$recursiveAnchor'] !== true) return found;
      return scope.find(({ root }) => isObject(root) && root['$recursiveAnchor'] === true)?.root ?? found;
    }
    // A dynamic reference leads to the first resource of `scope` that has the same `$dynamicAnchor`.
    const name = found['$dynamicAnchor'];
    if (typeof name !== 'string' || !reference.endsWith(`#${name}`)) return found;
    return scope.find(({ dynamicAnchors }) => dynamicAnchors.has(name))?.dynamicAnchors.get(name) ?? found;
  }

  #resolve(reference: string, resource: SchemaResource): unknown {
    const { resolved } = resource;
    if (!resolved.has(reference)) resolved.set(reference, this.#find(reference, resource));
    return resolved.get(reference);
  }

  #find(reference: string, { uri }: SchemaResource): unknown {
    const [document = '', fragment = ''] = reference.split('#', 2);
    const resource = this.#resources.get(document === '' ? uri : absolute(document, uri));
    if (!resource) return unknownSchema;
    if (fragment === '') return resource.root;
    if (!fragment.startsWith('/')) return resource.anchors.get(fragment) ?? unknownSchema;
    let at = resource.root;
    for (const part of fragment.slice(1).split('/')) {
      const key = decode(part);
      if (Array.isArray(at)) at = at[Number(key)];
      else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
      if (at === undefined) return unknownSchema;
    }
    return at;
  }

  #addResource(root: unknown, uri: string, { dialect, unsupported }: InDialect): SchemaResource {
    const maps = { anchors: new Map(), dynamicAnchors: new Map(), resolved: new Map() };
    const resource = { uri, root, dialect, unsupported, ...maps };
    this.#resources.set(uri, resource);
    return resource;
  }

  #addSchema(schema: JsonObject, within: SchemaResource, budget: Budget): SchemaResource {
    const resource = this.#resourceAt(schema, within, budget);
    this.#resourceOf.set(schema, resource);
    const { dialect, anchors, dynamicAnchors } = resource;
    const { $id, $anchor, $dynamicAnchor } = schema;
    if (dialect.anchorsById && typeof $id === 'string' && $id.startsWith('#')) {
      anchors.set($id.slice(1), schema);
    }
    if (typeof $anchor === 'string' && !dialect.ignored.has('$anchor')) anchors.set($anchor, schema);
    if (typeof $dynamicAnchor === 'string' && !dialect.ignored.has('$dynamicAnchor')) {
      anchors.set($dynamicAnchor, schema);
      dynamicAnchors.set($dynamicAnchor, schema);
    }
    return resource;
  }

  #resourceAt(schema: JsonObject, within: SchemaResource, budget: Budget): SchemaResource {
    const { $id, $schema } = schema;
    if (schema === within.root || (typeof $id !== 'string' && $schema === undefined)) return within;
    const found = dialectIn(schema, within);
    const uri = uriOf(schema, within.uri, found.dialect);
    if (uri === undefined) return found === within ? within : { ...within, ...found };
    budget.read(uri.length);
    return this.#addResource(schema, uri, found);
  }
}

/** The dialect that a schema declares or, if it declares none, the dialect of the schema around it. */
function dialectIn(schema: unknown, outer: InDialect): InDialect {
  const $schema = isObject(schema) ? schema['$schema'] : undefined;
  if ($schema === undefined) return outer;
  const dialect = dialectOf($schema);
  return dialect
    ? { dialect, unsupported: undefined }
    : { dialect: outer.dialect, unsupported: unsupportedDialect($schema) };
}

/** The URI of a schema with an `$id`; undefined for a schema without an `$id`. */
function uriOf(schema: unknown, base: string, dialect: Dialect): string | undefined {
  const { $id, $ref } = isObject(schema) ? schema : {};
  if (typeof $id !== 'string') return undefined;
  if (dialect.refStandsAlone && typeof $ref === 'string') return undefined;
  if (dialect.anchorsById && $id.startsWith('#')) return undefined;
  return absolute($id.replace(/#$/, ''), base);
}

function absolute(reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}
