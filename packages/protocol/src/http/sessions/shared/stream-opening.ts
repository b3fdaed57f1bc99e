import { isObject } from '@mcp/kit';
import { internalError } from '../../../jsonrpc/error.ts';
import { errorText, type Id, type Incoming } from '../../../jsonrpc/message.ts';

/** The first text of the stream of a request: what another process needs to resume it. */
export interface StreamOpening {
  /** The process that answers the request. */
  readonly process: string;
  /** The scopes that its messages require. */
  readonly requires: readonly string[];
  /** What the client gets if that process ends before it has answered. */
  readonly failure: string;
}

/** The opening in the first text of a stream; undefined for another text. */
export function openingIn(text: string | undefined): StreamOpening | undefined {
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return isOpening(value) ? value : undefined;
}

function isOpening(value: unknown): value is StreamOpening {
  if (!isObject(value)) return false;
  const { process, requires, failure } = value;
  return typeof process === 'string' && Array.isArray(requires) && typeof failure === 'string';
}

/** The response to a body whose process has ended. */
export function failureOf(incoming: Incoming): string {
  if (incoming.kind === 'request') return failed(incoming.request.id);
  if (incoming.kind !== 'batch') return '';
  const failures = incoming.messages.flatMap((each) =>
    each.kind === 'request' ? [failed(each.request.id)] : [],
  );
  return `[${failures.join(',')}]`;
}

function failed(id: Id): string {
  const message = 'The process that answered this request has ended; send the request again';
  return errorText(id, { code: internalError, message });
}
