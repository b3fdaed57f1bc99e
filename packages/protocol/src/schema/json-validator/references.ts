import type { Budget } from './budget.ts';
import { isSchemaObject, type JsonObject, type ReferenceKeyword } from './check.ts';
import { defaultDialect, type Dialect, dialectOf, unsupportedDialect } from '../dialects.ts';

/** A schema with an `$id` of its own, or the whole document, against which references are resolved. */
export interface Resource {
  readonly uri: string;
  readonly root: unknown;
  readonly dialect: Dialect;
  /** Subschemas by `$anchor` and `$dynamicAnchor`. */
  readonly anchors: Map<string, unknown>;
  readonly dynamicAnchors: Map<string, unknown>;
  /** The references that were resolved already. */
  readonly resolved: Map<string, unknown>;
}

/** The schema of another document: matches every value, and leaves no part of it unevaluated. */
export const unknownSchema: JsonObject = { unevaluatedProperties: true, unevaluatedItems: true };

/** The base of a document without an `$id`. */
const documentUri = 'document://schema/';

/** Keywords whose values are data, not schemas. */
const data = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords whose values map arbitrary names to schemas. */
const named = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** The schemas of one document, by their references. */
export class References {
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<object, Resource>();
  readonly #document: Resource;
  /** Says which part has a dialect that is not supported. */
  unsupported: string | undefined;

  constructor(document: unknown, budget: Budget) {
    const dialect = this.#dialectIn(document, defaultDialect);
    this.#document = this.#addResource(
      document,
      uriOf(document, documentUri, dialect) ?? documentUri,
      dialect,
    );
    this.#addSchemas(document, budget);
  }

  /** The resource that a schema belongs to. */
  resourceOf(schema: JsonObject): Resource {
    return this.#resourceOf.get(schema) ?? this.#document;
  }

  /**
   * The schema at a reference in the last resource of `scope`, which holds those that a check has entered;
   * for a reference to another document a schema that every value matches.
   */
  resolve(keyword: ReferenceKeyword, reference: string, scope: readonly Resource[], budget: Budget): unknown {
    budget.spend(1);
    budget.compare(reference.length);
    const found = this.#resolve(reference, scope.at(-1) ?? this.#document);
    if (keyword === '$ref' || !isSchemaObject(found)) return found;
    budget.spend(scope.length);
    if (keyword === '$recursiveRef') {
      if (found['$recursiveAnchor'] !== true) return found;
      return (
        scope.find(({ root }) => isSchemaObject(root) && root['$recursiveAnchor'] === true)?.root ?? found
      );
    }
    // A schema with a `$dynamicAnchor` is replaced by that of the first resource with the same anchor.
    const name = found['$dynamicAnchor'];
    if (typeof name !== 'string' || !reference.endsWith(`#${name}`)) return found;
    return scope.find(({ dynamicAnchors }) => dynamicAnchors.has(name))?.dynamicAnchors.get(name) ?? found;
  }

  #resolve(reference: string, resource: Resource): unknown {
    const { resolved } = resource;
    if (!resolved.has(reference)) resolved.set(reference, this.#find(reference, resource));
    return resolved.get(reference);
  }

  #find(reference: string, { uri }: Resource): unknown {
    const [document = '', fragment = ''] = reference.split('#', 2);
    const resource = this.#resources.get(document === '' ? uri : absolute(document, uri));
    if (!resource) return unknownSchema;
    if (fragment === '') return resource.root;
    if (!fragment.startsWith('/')) return resource.anchors.get(fragment) ?? unknownSchema;
    let at = resource.root;
    for (const part of fragment.slice(1).split('/')) {
      const key = decode(part);
      if (Array.isArray(at)) at = at[Number(key)];
      else at = isSchemaObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
      if (at === undefined) return unknownSchema;
    }
    return at;
  }

  #addResource(root: unknown, uri: string, dialect: Dialect): Resource {
    const maps = { anchors: new Map(), dynamicAnchors: new Map(), resolved: new Map() };
    const resource = { uri, root, dialect, ...maps };
    this.#resources.set(uri, resource);
    return resource;
  }

  // Not recursive: a schema may have very many levels.
  #addSchemas(document: unknown, budget: Budget): void {
    const waiting = [{ at: document, within: this.#document, isMap: false }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { at, isMap } = next;
      if (typeof at !== 'object' || at === null) continue;
      const isSchema = !isMap && isSchemaObject(at);
      const within = isSchema ? this.#addSchema(at, next.within, budget) : next.within;
      const members = Object.entries(at);
      budget.spend(4 * (1 + members.length));
      for (const [key, inner] of members) {
        if (!isSchema || !data.has(key))
          waiting.push({ at: inner, within, isMap: isSchema && named.has(key) });
      }
    }
  }

  /** Adds a schema and returns its resource. */
  #addSchema(schema: JsonObject, within: Resource, budget: Budget): Resource {
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

  #resourceAt(schema: JsonObject, within: Resource, budget: Budget): Resource {
    if (schema === within.root || typeof schema['$id'] !== 'string') return within;
    const dialect = this.#dialectIn(schema, within.dialect);
    const uri = uriOf(schema, within.uri, dialect);
    if (uri === undefined) return within;
    budget.read(uri.length);
    return this.#addResource(schema, uri, dialect);
  }

  /** The dialect that the root of a resource declares. */
  #dialectIn(root: unknown, otherwise: Dialect): Dialect {
    const $schema = isSchemaObject(root) ? root['$schema'] : undefined;
    if ($schema === undefined) return otherwise;
    const dialect = dialectOf($schema);
    if (!dialect) this.unsupported ??= unsupportedDialect($schema);
    return dialect ?? otherwise;
  }
}

/** The URI of a schema with an `$id`. */
function uriOf(schema: unknown, base: string, dialect: Dialect): string | undefined {
  const { $id, $ref } = isSchemaObject(schema) ? schema : {};
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
