import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ListKind } from '../../define/live-list.ts';
import type { Revision } from '../../revisions/revision.ts';

/** The functions of one subscriber. */
export interface Listener {
  changed(): void;
  /** Called when the subscription has ended for good. */
  lost(error: Error): void;
}

/** The subject of a subscription: a resource or a list. */
export type Topic =
  | { readonly uri: string; readonly kind?: undefined }
  | { readonly kind: ListKind; readonly uri?: undefined };

export function keyOf({ uri, kind }: Topic): string {
  return uri === undefined ? `notifications/${kind}/list_changed` : `resource ${uri}`;
}

/** Returns the filter of `subscriptions/listen` for a topic. */
export function filterOf({ uri, kind }: Topic): JsonObject {
  return uri === undefined ? { [`${kind}ListChanged`]: true } : { resourceSubscriptions: [uri] };
}

/** The method with which a client subscribes to a topic in a revision. */
export function methodOf({ uri }: Topic, { stateless }: Revision): string {
  return stateless || uri === undefined ? 'subscriptions/listen' : 'resources/subscribe';
}

/** Whether the acknowledged filter contains the topic. */
export function isHonoured({ uri, kind }: Topic, honoured: JsonObject): boolean {
  if (uri === undefined) return honoured[`${kind}ListChanged`] === true;
  const uris = honoured['resourceSubscriptions'];
  return Array.isArray(uris) && uris.includes(uri);
}

export function nameOf({ uri, kind }: Topic): string {
  return uri === undefined ? `the list of ${kind}` : `"${uri}"`;
}
