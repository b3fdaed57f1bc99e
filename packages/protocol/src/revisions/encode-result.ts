import type { CacheHint } from '../define/resource.ts';
import { JsonText } from '../define/tool.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { Revision } from './revision.ts';

/** A result without the members that depend on the revision. */
export interface NeutralResult {
  readonly type: 'complete' | 'input_required' | 'task';
  readonly members: JsonObject;
  readonly cache?: CacheHint;
  /** The JSON text of the whole result, which is sent unchanged. */
  readonly text?: string;
}

/** Serializes results with the members that a revision adds: `resultType`, `_meta` and cache hints. */
export class ResultEncoder {
  readonly #meta: JsonObject;
  readonly #completeStart: string;

  /** `meta` is added to the `_meta` of every result in the stateless revision. */
  constructor(meta: JsonObject) {
    this.#meta = meta;
    this.#completeStart = `{"resultType":"complete","_meta":${JSON.stringify(meta)}`;
  }

  encode(revision: Revision, result: NeutralResult): string {
    const { type, members, cache, text } = result;
    if (text !== undefined) return text;
    if (!revision.stateless) return textOf(members);
    if (type === 'complete' && cache === undefined && members['_meta'] === undefined) {
      const body = textOf(members);
      return body === '{}' ? `${this.#completeStart}}` : `${this.#completeStart},${body.slice(1)}`;
    }
    return JSON.stringify({
      resultType: type,
      ...members,
      ...(cache && { ttlMs: cache.ttlMs, cacheScope: cache.scope }),
      _meta: { ...(members['_meta'] as JsonObject | undefined), ...this.#meta },
    });
  }

  /** Returns the result with its text, so that it is serialized once for many requests of this revision. */
  withText(revision: Revision, result: NeutralResult): NeutralResult {
    return { ...result, text: inAscii(this.encode(revision, result)) };
  }
}

function textOf(members: JsonObject): string {
  const { structuredContent: value } = members;
  if (!(value instanceof JsonText)) return JSON.stringify(members);
  const { structuredContent: _, ...others } = members;
  const text = JSON.stringify(others);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"structuredContent":${value.text}}`;
}

/** Escapes characters that are not ASCII, so that Node can send the text without transcoding it. */
function inAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
