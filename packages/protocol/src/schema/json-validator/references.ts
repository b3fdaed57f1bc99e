import { isSchemaObject, type JsonObject } from './check.ts';

/** A schema with an `$id` of its own, or the whole document: what its references are relative to. */
interface Resource {
  readonly uri: string;
  readonly root: unknown;
  /** Subschemas by `$anchor` and `$dynamicAnchor`. */
  readonly anchors: Map<string, unknown>;
  readonly dynamicAnchors: Map<string, unknown>;
  /** The references that were resolved already. */
  readonly resolved: Map<string, unknown>;
}

/** Matches every value, and leaves no part of it unevaluated. */
const unknownSchema: JsonObject = { unevaluatedProperties: true, unevaluatedItems: true };

/** The base of a document without an `$id`. */
const documentUri = 'document://schema/';

/** Keywords whose values are data, not schemas. */
const data = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords whose values map arbitrary names to schemas. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** The schemas of one document, by their references. */
export class References {
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<object, Resource>();
  readonly #document: Resource;

  constructor(document: unknown) {
    this.#document = this.#addResource(document, uriOf(document, documentUri) ?? documentUri);
    this.#addSchemas(document);
  }

  /** The resource that a schema belongs to. */
  resourceOf(schema: JsonObject): Resource {
    return this.#resourceOf.get(schema) ?? this.#document;
  }

  /** The schema at a reference; for one to another document a schema that every value matches. */
  resolve(reference: string, from: JsonObject): unknown {
    const resource = this.resourceOf(from);
    const { resolved } = resource;
    if (!resolved.has(reference)) resolved.set(reference, this.#find(reference, resource));
    return resolved.get(reference);
  }

  /**
   * The schema at a `$dynamicRef`. If that has a `$dynamicAnchor`, the first of `scope` that has the same one takes
   * its place.
   */
  resolveDynamic(reference: string, from: JsonObject, scope: readonly Resource[]): unknown {
    const found = this.resolve(reference, from);
    const [, name = ''] = reference.split('#', 2);
    if (!isSchemaObject(found) || found['$dynamicAnchor'] !== name) return found;
    return scope.find(({ dynamicAnchors }) => dynamicAnchors.has(name))?.dynamicAnchors.get(name) ?? found;
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

  #addResource(root: unknown, uri: string): Resource {
    const resource = { uri, root, anchors: new Map(), dynamicAnchors: new Map(), resolved: new Map() };
    this.#resources.set(uri, resource);
    return resource;
  }

  // Not recursive: a schema may have very many levels.
  #addSchemas(document: unknown): void {
    const waiting = [{ at: document, within: this.#document, isMap: false }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { at, isMap } = next;
      if (typeof at !== 'object' || at === null) continue;
      const isSchema = !isMap && isSchemaObject(at);
      const within = isSchema ? this.#addSchema(at, next.within) : next.within;
      for (const [key, inner] of Object.entries(at)) {
        if (!isSchema || !data.has(key))
          waiting.push({ at: inner, within, isMap: isSchema && named.has(key) });
      }
    }
  }

  /** Adds a schema and returns its resource. */
  #addSchema(schema: JsonObject, within: Resource): Resource {
    const uri = schema === within.root ? undefined : uriOf(schema, within.uri);
    const resource = uri === undefined ? within : this.#addResource(schema, uri);
    this.#resourceOf.set(schema, resource);
    const { $anchor, $dynamicAnchor } = schema;
    if (typeof $anchor === 'string') resource.anchors.set($anchor, schema);
    if (typeof $dynamicAnchor === 'string') {
      resource.anchors.set($dynamicAnchor, schema);
      resource.dynamicAnchors.set($dynamicAnchor, schema);
    }
    return resource;
  }
}

/** The URI of a schema with an `$id`. */
function uriOf(schema: unknown, base: string): string | undefined {
  const id = isSchemaObject(schema) ? schema['$id'] : undefined;
  return typeof id === 'string' ? absolute(id.replace(/#$/, ''), base) : undefined;
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
