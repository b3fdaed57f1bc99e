import { messageOf } from '@mcp/kit';
import { InputRequired } from '../define/input/input.ts';
import { JsonText, ToolError, ToolResult } from '../define/tool.ts';
import type { Wrap } from '../define/wrap.ts';
import { RpcError } from '../jsonrpc/error.ts';
import { settle } from './settle.ts';

/**
 * Replaces each text in what handlers return and in their errors, also the names of members, by what `redact`
 * returns for it: to hide tokens or addresses from the model. The bytes of images, sounds and resources, and
 * input requests, are not changed.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { redactResults } from '@mcp/protocol/wrap';
 *
 * export const server = defineServer({
 *   name: 'example',
 *   version: '1.0.0',
 *   wrap: [redactResults((text) => text.replaceAll(/sk-[a-z0-9]{20,}/g, '[key]'))],
 * });
 * ```
 */
export function redactResults(redact: (text: string) => string): Wrap<unknown, unknown> {
  return (wrapped, next) => {
    if (wrapped.method.endsWith('/list')) return next();
    const place = wrapped.method === 'resources/read' ? 'resource' : 'content';
    return settle(
      next,
      (value) => redacted(value, redact, place),
      (error) => {
        throw redactedError(error, redact);
      },
    );
  };
}

function redactedError(error: unknown, redact: (text: string) => string): Error {
  const change = <Value>(value: Value) => redacted(value, redact, 'data') as Value;
  const message = redact(messageOf(error));
  if (error instanceof RpcError)
    return new RpcError(error.code, message, change(error.data), { cause: error });
  if (error instanceof ToolError) {
    const { structuredContent, _meta } = error;
    return new ToolError(message, {
      ...(structuredContent && { structuredContent: change(structuredContent) }),
      ...(_meta && { _meta: change(_meta) }),
      cause: error,
    });
  }
  try {
    // Its class is kept, which decides whether the operator is warned.
    if (error instanceof Error) return Object.assign(error, { message });
  } catch {
    // The error is frozen.
  }
  return new Error(message, { cause: error });
}

/** Where a value is: in content, in a resource that content or a result has, or in data of any form. */
type Place = 'content' | 'resource' | 'data';

function redacted(value: unknown, redact: (text: string) => string, place: Place): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value) || value instanceof InputRequired) return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact, place));
  if (value instanceof JsonText)
    return new JsonText(JSON.stringify(redacted(value.toJSON(), redact, 'data')));
  if ('toJSON' in value && typeof value.toJSON === 'function') return redacted(value.toJSON(), redact, place);
  const members = Object.entries(value).map(
    ([name, member]) =>
      [
        redact(name),
        isBytes(value, name, place) ? member : redacted(member, redact, placeOf(value, name, place)),
      ] as const,
  );
  const copy = Object.fromEntries(members);
  return value instanceof ToolResult ? new ToolResult(copy) : copy;
}

/** Whether a member has bytes as base64. */
function isBytes(owner: { readonly type?: unknown }, name: string, place: Place): boolean {
  if (name === 'blob') return place === 'resource';
  return name === 'data' && place === 'content' && (owner.type === 'image' || owner.type === 'audio');
}

function placeOf(owner: { readonly type?: unknown }, name: string, place: Place): Place {
  if (place === 'data' || name === 'structuredContent' || name === '_meta') return 'data';
  return name === 'resource' && owner.type === 'resource' ? 'resource' : place;
}
