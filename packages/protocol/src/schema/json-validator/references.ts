import { isSchemaObject, type JsonObject } from './check.ts';

/** The schemas of one document, by their references. */
export class References {
  readonly #root: unknown;
  readonly #resolved = new Map<string, unknown>();
  #anchors: Map<string, unknown> | undefined;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** The schema at a reference; `true`, which every value matches, for a reference to another document. */
  resolve(reference: string): unknown {
    if (!this.#resolved.has(reference)) this.#resolved.set(reference, this.#find(reference));
    return this.#resolved.get(reference);
  }

  #find(reference: string): unknown {
    const id = isSchemaObject(this.#root) && typeof this.#root['$id'] === 'string' ? this.#root['$id'] : '';
    const [document, fragment = ''] = reference.split('#', 2);
    if (document !== '' && document !== id) return this.#all.get(`${document ?? ''}#${fragment}`) ?? true;
    if (fragment === '') return this.#root;
    if (!fragment.startsWith('/')) return this.#all.get(`#${fragment}`) ?? true;
    let at: unknown = this.#root;
    for (const part of fragment.slice(1).split('/')) {
      const key = decode(part);
      const step: unknown = Array.isArray(at)
        ? at[Number(key)]
        : isSchemaObject(at)
          ? own(at, key)
          : undefined;
      if (step === undefined) return true;
      at = step;
    }
    return at;
  }

  /** Subschemas with an `$anchor` or an `$id`. */
  get #all(): Map<string, unknown> {
    if (this.#anchors) return this.#anchors;
    const anchors = new Map<string, unknown>();
    const waiting: unknown[] = [this.#root];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (typeof at !== 'object' || at === null) continue;
      if (isSchemaObject(at)) {
        for (const keyword of ['$anchor', '$dynamicAnchor']) {
          const name = at[keyword];
          if (typeof name === 'string') anchors.set(`#${name}`, at);
        }
        if (typeof at['$id'] === 'string') anchors.set(`${at['$id']}#`, at);
      }
      for (const inner of Object.values(at)) waiting.push(inner ?? true);
    }
    return (this.#anchors = anchors);
  }
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}
