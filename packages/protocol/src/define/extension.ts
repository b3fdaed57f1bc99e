import { isObject } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { type In, issuesText, type Out, refuseNoSchema, type Schema } from '../schema/schema.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import type { InputRequired } from './input/input.ts';
import { refuseUndefined } from './mistakes.ts';
import { reasonAgainst } from './reserved-methods.ts';
import type { Resource } from './resource.ts';

/** One request that an extension adds: its parameters and its result, each an object. */
export type ExtensionMethod = { readonly params: Schema; readonly result: Schema };

type Methods = { readonly [method: string]: ExtensionMethod };
type Schemas = { readonly [name: string]: Schema };

/** What an extension adds to the protocol. The client and the server use the same object. */
export type ExtensionContract<M extends Methods, N extends Schemas, F extends Schemas> = {
  /** `{vendor prefix}/{name}`, such as `com.example/echo`; the prefix is a domain name reversed. */
  readonly id: string;
  /** The requests of the client, by method. */
  readonly methods?: M;
  /** The parameters of the notifications that the server sends while it answers a request, by method. */
  readonly notifications?: N;
  /** The fields that the client adds to the `_meta` of requests, by key. */
  readonly meta?: F;
  /** The revisions in which the extension is available. Default: all. */
  readonly revisions?: readonly string[];
  /**
   * Whether the server refuses the methods of the extension to a client that does not declare it, with the
   * code -32021. Default: true.
   */
  readonly requiresClient?: boolean;
  /**
   * Whether a client that declares these settings supports the extension. Called with settings as the client
   * sent them; must not throw. To other clients, the server does not declare an extension without methods.
   * Default: every client that declares the extension supports it.
   */
  readonly accepts?: (settings: JsonObject) => boolean;
};

/** Written without the flag `i`, with which the expression takes four times as long to load. */
const idSyntax = /^[a-zA-Z][a-zA-Z\d-]*(\.[a-zA-Z][a-zA-Z\d-]*)*\/[a-zA-Z\d]([\w.-]*[a-zA-Z\d])?$/;

/** An extension, as `defineExtension` returns it. */
export type Extension<
  M extends Methods = Methods,
  N extends Schemas = Schemas,
  F extends Schemas = Schemas,
> = ExtensionContract<M, N, F> & {
  readonly methods: M;
  readonly notifications: N;
  readonly meta: F;
};

/** The functions with which a server answers the requests of an extension, by method. */
export type ExtensionHandlers<M extends Methods, Context, Who = Caller | undefined> = {
  readonly [Method in keyof M]: (
    params: Out<M[Method]['params']>,
    call: Call<Context, Who>,
  ) => In<M[Method]['result']> | InputRequired | Promise<In<M[Method]['result']> | InputRequired>;
};

/** An extension in a server: an element of `extensions` of `defineServer`. */
export interface ServedExtension<in Context = never, in Who = Caller | undefined> {
  readonly extension: Extension;
  readonly settings: JsonObject;
  readonly run: {
    readonly [method: string]: (params: unknown, call: Call<Context, Who>) => unknown;
  };
  readonly resources: readonly Resource<Context, Who>[];
}

/**
 * Defines an extension of the protocol: a value that servers and clients share. Throws an `Error` for an
 * invalid id, and for a method or notification that the specification has; the methods of other extensions of
 * a server are compared by `defineServer`.
 * @see https://modelcontextprotocol.io/seps/2133-extensions
 * @example
 * ```ts
 * import { defineExtension, defineServer, serveExtension } from '@mcp/protocol';
 * import { connect } from '@mcp/protocol/testing';
 * import { z } from 'zod';
 *
 * const clock = defineExtension({
 *   id: 'com.example/clock',
 *   methods: { 'clock/now': { params: z.object({}), result: z.object({ time: z.string() }) } },
 * });
 *
 * const server = defineServer({
 *   name: 'clock',
 *   version: '1.0.0',
 *   extensions: [serveExtension(clock, { run: { 'clock/now': () => ({ time: Date() }) } })],
 * });
 * await using client = await connect(server, { extensions: { [clock.id]: {} } });
 * console.log((await client.callExtension(clock, 'clock/now', {})).time);
 * ```
 */
export function defineExtension<
  M extends Methods = Record<never, never>,
  N extends Schemas = Record<never, never>,
  F extends Schemas = Record<never, never>,
>(contract: ExtensionContract<M, N, F>): Extension<M, N, F> {
  const { id, methods = {} as M, notifications = {} as N, meta = {} as F } = contract;
  if (typeof id !== 'string' || !idSyntax.test(id))
    throw new Error(`Invalid id of an extension: ${JSON.stringify(id)}; expected "{vendor prefix}/{name}"`);
  for (const method of Object.keys(methods)) refuseReserved(id, 'method', method);
  for (const method of Object.keys(notifications)) refuseReserved(id, 'notification', method);
  for (const [method, { params, result }] of Object.entries<ExtensionMethod>(methods)) {
    refuseNoSchema(params, `params of the method "${method}"`);
    refuseNoSchema(result, `result of the method "${method}"`);
  }
  return { ...contract, methods, notifications, meta };
}

function refuseReserved(id: string, kind: 'method' | 'notification', name: string): void {
  const reason = reasonAgainst(id, kind, name);
  if (reason === undefined) return;
  throw new Error(`The extension "${id}" cannot have the ${kind} ${JSON.stringify(name)}: ${reason}`);
}

/** What a server adds to the contract of an extension. */
export type ExtensionService<M extends Methods, Context, Who = Caller | undefined> = {
  /** Sent to clients with the capability. Default: `{}`. */
  readonly settings?: JsonObject;
  readonly run: ExtensionHandlers<M, Context, Who>;
  /**
   * Resources that clients find by the methods of the extension, and read and subscribe to by URI. No list
   * has them, but what `list` of a template returns is in `resources/list`. Default: none.
   */
  readonly resources?: readonly Resource<Context, Who>[];
};

/**
 * Makes an extension a part of a server: an element of `extensions` of `defineServer`. Throws an `Error` if a
 * method has no handler.
 * @example
 * ```ts
 * import { defineExtension, serveExtension } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * const echo = defineExtension({
 *   id: 'com.example/echo',
 *   methods: { 'echo/say': { params: z.object({ text: z.string() }), result: z.object({}) } },
 * });
 * serveExtension(echo, { settings: { loud: false }, run: { 'echo/say': () => ({}) } });
 * ```
 */
export function serveExtension<
  M extends Methods,
  N extends Schemas,
  F extends Schemas,
  Context = object,
  Who = Caller | undefined,
>(
  extension: Extension<M, N, F>,
  { settings = {}, run, resources = [] }: ExtensionService<M, Context, Who>,
): ServedExtension<Context, Who> {
  for (const method of Object.keys(extension.methods))
    if (!Object.hasOwn(run, method) || typeof run[method] !== 'function')
      throw new Error(`The method "${method}" needs a function in \`run\``);
  if (!isObject(settings))
    throw new Error(`The settings of the extension "${extension.id}" must be an object`);
  JSON.stringify(settings);
  for (const resource of resources) refuseUndefined('resource', resource);
  return { extension, settings, run: run as ServedExtension<Context, Who>['run'], resources };
}

/**
 * The settings that a peer with these capabilities declares for an extension; undefined if it does not
 * declare the extension.
 * @example
 * ```ts
 * import { defineExtension, extensionSettings } from '@mcp/protocol';
 *
 * const echo = defineExtension({ id: 'com.example/echo' });
 * extensionSettings({ extensions: { 'com.example/echo': { loud: true } } }, echo); // { loud: true }
 * ```
 */
export function extensionSettings(
  { extensions }: JsonObject,
  { id }: Pick<Extension, 'id'>,
): JsonObject | undefined {
  const settings = isObject(extensions) ? extensions[id] : undefined;
  return isObject(settings) ? settings : undefined;
}

/**
 * Whether the client of a call supports an extension: it declares the extension, with settings that the
 * extension accepts, in a revision that carries it.
 * @example
 * ```ts
 * import { defineExtension, defineTool, supportsExtension } from '@mcp/protocol';
 *
 * const echo = defineExtension({ id: 'com.example/echo', accepts: ({ loud }) => loud === true });
 * export const shout = defineTool({
 *   name: 'shout',
 *   description: 'Shouts, if the client can hear it.',
 *   run: (_, call) => (supportsExtension(call, echo) ? 'HELLO' : 'Hello'),
 * });
 * ```
 */
export function supportsExtension(
  call: Pick<Call<unknown, unknown>, 'client' | 'clientCapabilities'>,
  extension: Pick<Extension, 'id' | 'revisions' | 'accepts'>,
): boolean {
  return isCarried(call, extension) && isAccepted(call.clientCapabilities, extension);
}

/** Whether a client with these capabilities declares the extension, with settings that it accepts. */
export function isAccepted(
  clientCapabilities: JsonObject,
  extension: Pick<Extension, 'id' | 'accepts'>,
): boolean {
  const settings = extensionSettings(clientCapabilities, extension);
  return settings !== undefined && (extension.accepts?.(settings) ?? true);
}

/**
 * Sends a notification of an extension to the client of a call. Returns false, and sends nothing, to a client
 * that does not support the extension, and after the call is answered.
 * Throws an `Error` for parameters that do not match the schema, which must validate without a promise.
 * @example
 * ```ts
 * import { defineExtension, defineTool, notifyExtension } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * const echo = defineExtension({
 *   id: 'com.example/echo',
 *   notifications: { 'notifications/echo/heard': z.object({ text: z.string() }) },
 * });
 * export const hear = defineTool({
 *   name: 'hear',
 *   description: 'Hears a text.',
 *   run: (_, call) => String(notifyExtension(call, echo, 'notifications/echo/heard', { text: 'Hello' })),
 * });
 * ```
 */
export function notifyExtension<N extends Schemas, Name extends string & keyof N>(
  call: Call<unknown, unknown>,
  extension: Extension<Methods, N>,
  method: Name,
  params: In<N[Name]>,
): boolean {
  if (!supportsExtension(call, extension)) return false;
  const schema = Object.hasOwn(extension.notifications, method) ? extension.notifications[method] : undefined;
  const checked = schema?.['~standard'].validate(params);
  if (!checked) throw new Error(`The extension "${extension.id}" has no notification "${method}"`);
  if (checked instanceof Promise)
    throw new Error(`The schema of "${method}" must validate without a promise`);
  if (checked.issues) throw new Error(`Invalid params of ${method}: ${issuesText(checked.issues)}`);
  // Every call that a handler gets has `notify`. The type `Call` hides it, because a handler must not send
  // the notifications of the specification with it.
  const { notify } = call as Call<unknown, unknown> & Partial<Notifying>;
  return notify?.call(call, method, checked.value as JsonObject) ?? false;
}

/**
 * The value of a field that an extension adds to the `_meta` of a request; undefined if it is absent. Throws
 * an `Error` for a value that does not match the schema.
 * @example
 * ```ts
 * import { defineExtension, defineTool, extensionMeta } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * const desk = defineExtension({ id: 'com.example/desk', meta: { 'com.example/reader': z.string() } });
 * export const who = defineTool({
 *   name: 'who',
 *   description: 'Names the reader.',
 *   run: async (_, call) => (await extensionMeta(call, desk, 'com.example/reader')) ?? 'nobody',
 * });
 * ```
 */
export async function extensionMeta<F extends Schemas, Key extends string & keyof F>(
  call: Call<unknown, unknown>,
  extension: Extension<Methods, Schemas, F>,
  key: Key,
): Promise<Out<F[Key]> | undefined> {
  const value = Object.hasOwn(call.meta, key) ? call.meta[key] : undefined;
  if (value === undefined || !isCarried(call, extension)) return undefined;
  const checked = await extension.meta[key]!['~standard'].validate(value);
  if (checked.issues) throw new Error(`Invalid "_meta.${key}": ${issuesText(checked.issues)}`);
  return checked.value as Out<F[Key]>;
}

/** Sends a notification for a call; returns false if the call is answered already. */
type Notifying = { notify(method: string, params: JsonObject): boolean };

function isCarried(
  { client }: Pick<Call<unknown, unknown>, 'client'>,
  { revisions }: Pick<Extension, 'revisions'>,
): boolean {
  return revisions?.includes(client.revision) ?? true;
}
