import type { Budget } from './budget.ts';
import { isSchemaObject, type JsonObject, type ReferenceKeyword } from './check.ts';
import { defaultDialect, type Dialect, dialectOf, unsupportedDialect } from '../dialects.ts';
import { eachSchema } from '../each-schema.ts';

interface InDialect {
  readonly dialect: Dialect;
  /** Says which dialect a part has that is not supported. */
  readonly unsupported: string | undefined;
}

/**
 * A schema with an `$id` of its own, or the whole document, against which references are resolved; a part
 * of one in a dialect of its own shares all else with it.
 */
export interface Resource extends InDialect {
  readonly uri: string;
  readonly root: unknown;
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

/** The schemas of one document, by their references. */
export class References {
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<object, Resource>();
  readonly #document: Resource;
  /** Says which part has a dialect that is not supported. */
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

  /** The resource of a schema that a check has entered. */
  enter(schema: JsonObject): Resource {
    const resource = this.#resourceOf.get(schema) ?? this.#document;
    this.unsupported ??= resource.unsupported;
    return resource;
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

  #addResource(root: unknown, uri: string, { dialect, unsupported }: InDialect): Resource {
    const maps = { anchors: new Map(), dynamicAnchors: new Map(), resolved: new Map() };
    const resource = { uri, root, dialect, unsupported, ...maps };
    this.#resources.set(uri, resource);
    return resource;
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
    const { $id, $schema } = schema;
    if (schema === within.root || (typeof $id !== 'string' && $schema === undefined)) return within;
    const found = dialectIn(schema, within);
    const uri = uriOf(schema, within.uri, found.dialect);
    if (uri === undefined) return found === within ? within : { ...within, ...found };
    budget.read(uri.length);
    return this.#addResource(schema, uri, found);
  }
}

/** The dialect that a schema declares, or else the outer one. */
function dialectIn(schema: unknown, outer: InDialect): InDialect {
  const $schema = isSchemaObject(schema) ? schema['$schema'] : undefined;
  if ($schema === undefined) return outer;
  const dialect = dialectOf($schema);
  return dialect
    ? { dialect, unsupported: undefined }
    : { dialect: outer.dialect, unsupported: unsupportedDialect($schema) };
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
