import type { JsonObject } from '../../jsonrpc/message.ts';

export type ListKind = 'tools' | 'resources' | 'prompts';

/** How a subscriber hears of changes. */
export interface Listener {
  changed(): void;
  /** The server has refused to go on: no change will be told any more. */
  lost(error: Error): void;
}

/** What clients can be told changes of. */
export type Topic =
  | { readonly uri: string; readonly kind?: undefined }
  | { readonly kind: ListKind; readonly uri?: undefined };

export function keyOf({ uri, kind }: Topic): string {
  return uri === undefined ? `notifications/${kind}/list_changed` : `resource ${uri}`;
}

/** The filter of `subscriptions/listen` for a topic. */
export function filterOf({ uri, kind }: Topic): JsonObject {
  return uri === undefined ? { [`${kind}ListChanged`]: true } : { resourceSubscriptions: [uri] };
}

/** Whether the acknowledged filter has the topic in it. */
export function isHonoured({ uri, kind }: Topic, honoured: JsonObject): boolean {
  if (uri === undefined) return honoured[`${kind}ListChanged`] === true;
  const uris = honoured['resourceSubscriptions'];
  return Array.isArray(uris) && uris.includes(uri);
}

export function nameOf({ uri, kind }: Topic): string {
  return uri === undefined ? `the list of ${kind}` : `"${uri}"`;
}
