import type { JsonObject } from '../jsonrpc/message.ts';
import type { Call } from './call.ts';
import type { Completers } from './completion.ts';
import type { Annotations, Icon, ListedResource, ResourceContents } from './content.ts';
import type { InputRequired } from './input.ts';
import { refuseNoHandler } from './mistakes.ts';
import { UriTemplate, type UriVariables } from './uri-template.ts';

/** How long a client may keep an answer, and whether other users may be given it too. */
export type CacheHint = {
  /** Milliseconds; 0 means ask again every time. */
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
};

/** What a resource holds: text or bytes of its own MIME type, or contents in full. */
export type ResourceValue = string | Uint8Array | ResourceContents | readonly ResourceContents[];

/** Ends something that was started; ending it twice does nothing. */
export type Stop = () => void | Promise<void>;

type MaybePromise<T> = T | Promise<T>;

/** `ListsNeed` is what the lists and suggestions need, `Needs` what reading and watching do. */
export type ResourceDefinition<Uri extends string, Needs, ListsNeed = Needs> = {
  /** A URI, or an RFC 6570 template such as `file:///{+path}`. */
  readonly uri: Uri;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  readonly cache?: CacheHint;
  /** Throws {@link ResourceNotFound} where there is none. */
  readonly read: (
    variables: UriVariables<Uri>,
    needs: Needs,
    uri: string,
  ) => MaybePromise<ResourceValue | InputRequired>;
  /**
   * Calls `changed` after each change until stopped. Runs once per URI however many subscribe, and
   * resolves once no change can be missed.
   */
  readonly watch?: (
    variables: UriVariables<Uri>,
    changed: () => void,
    needs: Needs,
    uri: string,
  ) => MaybePromise<Stop>;
  /** The resources of a template worth listing. */
  readonly list?: (
    needs: ListsNeed,
  ) => MaybePromise<Iterable<ListedResource> | AsyncIterable<ListedResource>>;
  /** Calls `changed` when `list` would give another answer, until stopped. */
  readonly watchList?: (changed: () => void, needs: ListsNeed) => MaybePromise<Stop>;
  /** Suggestions for the template's variables. */
  readonly complete?: Completers<string & keyof UriVariables<Uri>, ListsNeed>;
};

/** A resource, or a family of them, as a server holds it. */
export interface Resource<in Needs = never> {
  readonly uri: string;
  /** Undefined for a resource with one fixed URI. */
  readonly template: UriTemplate | undefined;
  readonly definition: ErasedDefinition<Needs>;
}

type ErasedDefinition<Needs> = Omit<
  ResourceDefinition<string, never>,
  'read' | 'watch' | 'list' | 'watchList' | 'complete'
> & {
  readonly read: (variables: unknown, needs: Needs, uri: string) => unknown;
  readonly watch?: (variables: unknown, changed: () => void, needs: Needs, uri: string) => MaybePromise<Stop>;
  readonly list?: (needs: Needs) => MaybePromise<Iterable<ListedResource> | AsyncIterable<ListedResource>>;
  readonly watchList?: (changed: () => void, needs: Needs) => MaybePromise<Stop>;
  readonly complete?: Completers<string, Needs>;
};

/** What can be read under a URI, or under all URIs of a template. Throws where neither is one. */
export function defineResource<const Uri extends string, Needs = Call, ListsNeed = Needs>(
  definition: ResourceDefinition<Uri, Needs, ListsNeed>,
): Resource<Needs & ListsNeed> {
  const { uri, cache } = definition;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) throw new Error(`A resource's URI begins with a scheme: "${uri}"`);
  refuseNoHandler(`resource "${uri}"`, 'read', definition);
  if (cache && !(Number.isSafeInteger(cache.ttlMs) && cache.ttlMs >= 0)) {
    throw new Error(`A cache's ttlMs is an integer from 0, and not ${cache.ttlMs}`);
  }
  return {
    uri,
    template: uri.includes('{') ? new UriTemplate(uri) : undefined,
    definition: definition as ErasedDefinition<Needs & ListsNeed>,
  };
}

/** No such resource. Clients are told in their revision's code. */
export class ResourceNotFound extends Error {
  override readonly name = 'ResourceNotFound';
  readonly uri: string;

  constructor(uri: string, message = `No such resource: "${uri}"`, options?: ErrorOptions) {
    super(message, options);
    this.uri = uri;
  }
}
