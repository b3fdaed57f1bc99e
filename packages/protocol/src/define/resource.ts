import type { JsonObject } from '../jsonrpc/message.ts';
import type { Call, Completers, ResourceCall } from './call.ts';
import type { Caller } from './caller.ts';
import type { Annotations, Icon, ListedResource, ResourceContents } from './content.ts';
import type { InputRequired } from './input/input.ts';
import { refuseNoHandler, refuseNoName } from './mistakes.ts';
import { UriTemplate, type UriVariables } from './uri-template.ts';

/** How long a client may cache an answer, and whether other users may share it. */
export type CacheHint = {
  /** Milliseconds; 0 disables caching. */
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
};

/**
 * What `read` returns: text or bytes, to which the server adds the URI and MIME type of the resource, or
 * complete contents.
 */
export type ResourceValue = string | Uint8Array | ResourceContents | readonly ResourceContents[];

/** Stops a watch; a second call does nothing. */
export type Stop = () => void | Promise<void>;

type MaybePromise<T> = T | Promise<T>;

/**
 * A resource as its author writes it. `Context` is the part of the server's context that `read` and `watch`
 * use, `ListContext` the part that `list`, `watchList` and `complete` use.
 */
export type ResourceDefinition<
  Uri extends string,
  Context,
  ListContext = Context,
  Who = Caller | undefined,
> = {
  /** A URI, or an RFC 6570 template such as `file:///{+path}`. */
  readonly uri: Uri;
  /** The name of the resource in lists. */
  readonly name: string;
  /** The name that a host shows to a person. */
  readonly title?: string;
  /** The content of the resource, described for the model. */
  readonly description?: string;
  /** The type of the content, such as `text/markdown`. */
  readonly mimeType?: string;
  /** The size of the content in bytes. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  /** How long clients may cache the content; sent from revision 2026-07-28 on. Default: no caching. */
  readonly cache?: CacheHint;
  /**
   * The scopes that a caller needs. For a caller without them, lists omit the resource and requests for it
   * are refused; over HTTP, the response is a 403 that names the missing scopes. Default: none.
   */
  readonly requires?: readonly string[];
  /** Reads the resource. Throws {@link ResourceNotFound} if it does not exist. */
  readonly read: (
    variables: UriVariables<Uri>,
    call: ResourceCall<Context, Who>,
  ) => MaybePromise<ResourceValue | InputRequired>;
  /**
   * Calls `changed` after each change, until the returned function is called. Runs once for each URI, however
   * many clients subscribe. Must resolve only when the watch is active, so that no later change is missed.
   */
  readonly watch?: (
    variables: UriVariables<Uri>,
    changed: () => void,
    call: ResourceCall<Context>,
  ) => MaybePromise<Stop>;
  /** The resources of a template, for `resources/list`. Default: none. */
  readonly list?: (
    call: Call<ListContext, Who>,
  ) => MaybePromise<Iterable<ListedResource> | AsyncIterable<ListedResource>>;
  /** Calls `changed` when `list` would return something else, until the returned function is called. */
  readonly watchList?: (changed: () => void, call: Call<ListContext>) => MaybePromise<Stop>;
  /** Suggestions for the template's variables. */
  readonly complete?: Completers<string & keyof UriVariables<Uri>, ListContext, Who>;
};

/** A resource, or all resources of a template, as a server stores it. */
export interface Resource<in Context = never, in Who = Caller | undefined> {
  readonly uri: string;
  /** Undefined for a resource with one fixed URI. */
  readonly template: UriTemplate | undefined;
  readonly definition: ErasedDefinition<Context, Who>;
}

type ErasedDefinition<Context, Who> = Omit<
  ResourceDefinition<string, never>,
  'read' | 'watch' | 'list' | 'watchList' | 'complete'
> & {
  readonly read: (variables: unknown, call: ResourceCall<Context, Who>) => unknown;
  readonly watch?: (
    variables: unknown,
    changed: () => void,
    call: ResourceCall<Context>,
  ) => MaybePromise<Stop>;
  readonly list?: (
    call: Call<Context, Who>,
  ) => MaybePromise<Iterable<ListedResource> | AsyncIterable<ListedResource>>;
  readonly watchList?: (changed: () => void, call: Call<Context>) => MaybePromise<Stop>;
  readonly complete?: Completers<string, Context, Who>;
};

/**
 * Defines a resource at a URI, or resources at all URIs of a template. Throws an `Error` for an invalid URI
 * or template.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @example
 * ```ts
 * import { type Call, defineResource, type ResourceCall, ResourceNotFound } from '@mcp/protocol';
 *
 * type Notes = { readonly notes: ReadonlyMap<string, string> };
 *
 * export const note = defineResource({
 *   uri: 'note:///{id}',
 *   name: 'note',
 *   mimeType: 'text/plain',
 *   read({ id }, { context: { notes }, uri }: ResourceCall<Notes>) {
 *     const text = notes.get(id);
 *     if (text === undefined) throw new ResourceNotFound(uri);
 *     return text;
 *   },
 *   list: ({ context: { notes } }: Call<Notes>) =>
 *     [...notes.keys()].map((id) => ({ uri: `note:///${id}`, name: id })),
 * });
 * ```
 */
export function defineResource<
  const Uri extends string,
  Context = object,
  ListContext = Context,
  Who = Caller | undefined,
>(
  definition: ResourceDefinition<Uri, Context, ListContext, Who>,
): Resource<Context, Who> | Resource<ListContext, Who> {
  const { uri, name, cache } = definition;
  if (typeof uri !== 'string' || !/^[a-z][a-z0-9+.-]*:/i.test(uri))
    throw new Error(`Invalid URI of a resource: ${JSON.stringify(uri)}; expected one with a scheme`);
  refuseNoName(`resource "${uri}"`, name);
  refuseNoHandler(`resource "${uri}"`, 'read', definition);
  if (cache && !(Number.isSafeInteger(cache.ttlMs) && cache.ttlMs >= 0)) {
    throw new Error(
      `Invalid cache.ttlMs of the resource "${uri}": ${cache.ttlMs}; expected an integer of 0 or more`,
    );
  }
  return {
    uri,
    template: uri.includes('{') ? new UriTemplate(uri) : undefined,
    // The cast to `unknown` erases the type of the context. The return type declares it again, as a union, so
    // that the compiler accepts the resource only in a server whose context suits `read` and `list`.
    definition: definition as ErasedDefinition<unknown, Who>,
  };
}

/** The error for a resource that does not exist; clients get the error code of their revision. */
export class ResourceNotFound extends Error {
  override readonly name = 'ResourceNotFound';
  readonly uri: string;

  constructor(uri: string, message = `No such resource: "${uri}"`, options?: ErrorOptions) {
    super(message, options);
    this.uri = uri;
  }
}
