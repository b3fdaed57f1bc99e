import type { JsonObject } from '../jsonrpc/message.ts';
import type { Caller } from './caller.ts';
import type { ServedExtension } from './extension.ts';
import type { Implementation } from './implementation.ts';
import type { RootsResponse } from './input/input.ts';
import type { LiveList } from './live-list.ts';
import { refuseNameless, refuseNoContext, refuseUnmounted } from './mistakes.ts';
import { Listed, type ListOf, refuseTwice } from './mount/listed.ts';
import type { Mount } from './mount/mounted.ts';
import { withMounted } from './mount/mounted-extensions.ts';
import type { Observer } from './observer.ts';
import type { Prompt } from './prompt.ts';
import type { ProxyDefinition } from './proxy/proxy.ts';
import type { Resource } from './resource.ts';
import type { TaskManager } from './task-manager.ts';
import type { Tool } from './tool.ts';
import { refuseUnserved } from './tool-view.ts';
import type { Wrap } from './wrap.ts';

/** A server as its author writes it. Clients get `name` and the other fields of {@link Implementation}. */
export type ServerDefinition<Context extends object, Who = Caller | undefined> = Implementation & {
  /** How to use this server, for the model. */
  readonly instructions?: string;
  /**
   * What every handler gets as `call.context`, or a function that loads the context. It is called after the
   * handshake of the first client, or before the first list or handler; again if it fails. Default: `{}`.
   */
  readonly context?: Context | (() => Promise<Context>);
  /**
   * Returns the context for a client that declares roots, in revisions up to 2025-11-25. Called before the
   * first request that needs the context, and when the roots change. The subscriptions are then restarted
   * with the new context; a subscription that cannot be restarted ends.
   */
  contextFor?(
    roots: RootsResponse['roots'],
    context: NoInfer<Context>,
  ): NoInfer<Context> | Promise<NoInfer<Context>>;
  readonly tools?: ListOf<Tool<NoInfer<Context>, Who>>;
  readonly resources?: ListOf<Resource<NoInfer<Context>, Who>>;
  readonly prompts?: ListOf<Prompt<NoInfer<Context>, Who>>;
  /** Other servers whose tools, resources and prompts this server has too: see `mount`. */
  readonly mounts?: readonly Mount<Who>[];
  /**
   * Functions that run around each handler and each list, the first one outermost: to log, limit, check or
   * change what handlers return. `@mcp/protocol/wrap` has some ready made.
   */
  readonly wrap?: readonly Wrap<NoInfer<Context>, Who>[];
  /**
   * Is called at the beginning and the end of each request: `openTelemetry()` of `@mcp/protocol/telemetry`
   * writes spans and metrics.
   */
  readonly observe?: Observer;
  /** Lets handlers send log messages to clients that want them. Default: false. */
  readonly logging?: boolean;
  /** The maximum number of entries in one page of a list. Default: 100. */
  readonly pageSize?: number;
  /** Runs calls as tasks, for tools that set `task`: `createTasks()` of `@mcp/protocol/tasks`. */
  readonly tasks?: TaskManager;
  /** What the server adds to the protocol: see `defineExtension`. */
  readonly extensions?: readonly ServedExtension<NoInfer<Context>, Who>[];
  /** Capabilities outside the specification, which are sent to clients unchanged. */
  readonly experimental?: JsonObject;
  /**
   * A key of 32 bytes that encrypts what clients keep: the state of multi round-trip requests, and the ids of
   * `sealedSessions`. Replicas that answer each other's clients must have the same key and `name`. Of a list,
   * the first key encrypts, and each of them decrypts, so that a key can be replaced while requests go on.
   * Default: every process makes a key of its own.
   */
  readonly stateKey?: Uint8Array | readonly Uint8Array[];
};

/** A server, which any number of connections share. `Who` is the type of the callers of its handlers. */
export interface Server<in Who = Caller | undefined> {
  readonly definition: Omit<ServerDefinition<object>, 'context' | 'tools' | 'resources' | 'prompts'>;
  /** The context of the handlers, or a function that loads it. */
  readonly context: object | (() => Promise<object>);
  readonly tools: LiveList<Tool<object>>;
  readonly resources: LiveList<Resource<object>>;
  readonly prompts: LiveList<Prompt<object>>;
  /** Never set. With this member, the compiler checks the type of the callers (`Who`). */
  readonly expects?: (caller: Who) => void;
}

type EachList = { readonly tools: boolean; readonly resources: boolean; readonly prompts: boolean };

/** The parts of a server that only this package uses. */
export interface ServerInternals {
  /** The lists that may change while the server runs, or that differ with the scopes of the caller. */
  readonly live: EachList;
  /** The lists that are loaded after the handshake. */
  readonly deferred: EachList;
  /** Loads the deferred lists; undefined if no list is deferred. */
  readonly load: (() => Promise<void>) | undefined;
  /** Answers all requests; the lists are then not used. Only a server made by `defineProxy` has it. */
  readonly proxy?: Pick<ProxyDefinition, 'session'>;
}

// The internals are a member whose key is a symbol. A copy of a server, `{ ...server, context }`, therefore
// has them and is a server too.
const internals = Symbol('internals of a server');
type WithInternals = { readonly [internals]?: ServerInternals };

/** A server with its internal parts. */
export function withInternals<Who>(server: Server<Who>, parts: ServerInternals): Server<Who> {
  const made: Server<Who> & WithInternals = { ...server, [internals]: parts };
  return made;
}

/** The internal parts of a server. Throws for a value that `defineServer` did not make. */
export function internalsOf(server: Server): ServerInternals {
  const found = (server as WithInternals)[internals];
  if (!found) throw new Error('Not a server: make one with `defineServer(…)`');
  return found;
}

/**
 * Defines a server: a value that any number of connections share, served on any transport. Throws an `Error`
 * if the name or the version is missing, if a tool, resource or prompt was not made by its `define…`
 * function, or if two tools, resources or prompts have the same name. A list that is loaded later is checked
 * when it is loaded.
 * @example
 * ```ts
 * import { type Call, defineServer, defineTool } from '@mcp/protocol';
 * import { connect } from '@mcp/protocol/testing';
 *
 * type Clock = { readonly now: () => string };
 *
 * const time = defineTool({
 *   name: 'time',
 *   description: 'Says the time.',
 *   run: (_, { context: { now } }: Call<Clock>) => now(),
 * });
 *
 * const server = defineServer({
 *   name: 'clock',
 *   version: '1.0.0',
 *   context: { now: () => new Date().toISOString() },
 *   tools: [time],
 * });
 * await using client = await connect(server);
 * await client.callTool('time');
 * ```
 */
export function defineServer<Context extends object = Record<never, never>, Who = Caller | undefined>(
  definition: ServerDefinition<Context, Who>,
): Server<Who> {
  const given = definition as Given;
  refuseNameless(definition);
  refuseNoContext(definition);
  const { mounts = [] } = definition;
  refuseUnmounted(mounts);
  const mountedTools = mounts.map((each) => each.tools);
  const mountedResources = mounts.map((each) => each.resources);
  const mountedPrompts = mounts.map((each) => each.prompts);
  const tools = new Listed('tool', given.tools, mountedTools, ({ name }) => name);
  const resources = new Listed('resource', given.resources, mountedResources, ({ uri }) => uri);
  const prompts = new Listed('prompt', given.prompts, mountedPrompts, ({ name }) => name);
  const loads = [tools, resources, prompts, ...mounts].flatMap(({ load }) => load ?? []);
  const requiringTasks = [...tools.list].find((tool) => tool.definition.task === 'required');
  if (requiringTasks && !definition.tasks) {
    throw new Error(
      `The tool "${requiringTasks.name}" requires tasks: give the server \`tasks: createTasks()\``,
    );
  }
  refuseClashes(definition.extensions ?? []);
  const own = definition as Server['definition'];
  const mountedExtensions = mounts.flatMap((each) => each.extensions);
  const extensions = withMounted(own.extensions ?? [], mountedExtensions);
  const refuseUnservedViews = () => refuseUnserved(tools.list, resources.list, extensions);
  refuseUnservedViews();
  const server: Server<Who> = {
    definition: mountedExtensions.length === 0 ? own : { ...own, extensions },
    context: definition.context ?? {},
    tools: tools.list,
    resources: resources.list,
    prompts: prompts.list,
  };
  return withInternals(server, {
    live: {
      tools: tools.live || requireScopes(tools.list),
      resources:
        resources.live ||
        requireScopes(resources.list) ||
        [...resources.list].some((resource) => resource.definition.watchList),
      prompts: prompts.live || requireScopes(prompts.list),
    },
    deferred: { tools: tools.deferred, resources: resources.deferred, prompts: prompts.deferred },
    load:
      loads.length > 0
        ? () => loadAll(loads, [tools, resources, prompts]).then(refuseUnservedViews)
        : undefined,
  });
}

/** Refuses two extensions with the same id or method. */
function refuseClashes(served: readonly Pick<ServedExtension, 'extension'>[]): void {
  refuseTwice(
    'extension',
    served.map(({ extension }) => extension.id),
  );
  refuseTwice(
    'method of an extension',
    served.flatMap(({ extension }) => Object.keys(extension.methods)),
  );
}

/**
 * The lists of a definition, without the type of the context: the compiler has checked the handlers against
 * the context where `defineServer` is called.
 */
type Given = {
  readonly tools?: ListOf<Tool<object>>;
  readonly resources?: ListOf<Resource<object>>;
  readonly prompts?: ListOf<Prompt<object>>;
};

/** Whether the list looks different to callers with other scopes. */
function requireScopes(
  list: Iterable<{ readonly definition: { readonly requires?: readonly string[] } }>,
): boolean {
  return [...list].some(({ definition: { requires = [] } }) => requires.length > 0);
}

async function loadAll(
  loads: readonly (() => Promise<void>)[],
  lists: readonly Pick<Listed<never>, 'deferred' | 'refuseTwice'>[],
): Promise<void> {
  await Promise.all(loads.map((load) => load()));
  for (const list of lists) if (list.deferred) list.refuseTwice();
}
