import type { JsonObject } from '../jsonrpc/message.ts';
import type { Call } from './call.ts';
import type { Icon } from './content.ts';
import type { RootsResponse } from './input.ts';
import { LiveList } from './live-list.ts';
import { refuseNameless, refuseUndefined } from './mistakes.ts';
import type { Prompt } from './prompt.ts';
import type { Resource } from './resource.ts';
import type { TaskKeeper } from './task-keeper.ts';
import type { Tool } from './tool.ts';

/**
 * A list, or how to load it. One that is loaded is there by the first request that needs it, so that a
 * server can answer a handshake before its schemas are built.
 */
export type ListOf<T> = Iterable<T> | (() => Promise<Iterable<T>>);

export type ServerDefinition<Context extends object> = {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
  /** How to use this server, for the model. */
  readonly instructions?: string;
  /** What every handler can reach beside its call, or how to load it: with the lists that are loaded later. */
  readonly context: Context | (() => Promise<Context>);
  /**
   * What handlers share instead of `context`, for a client that tells which directories it works in; clients up to
   * 2025-11-25 can. Made before the first request that needs it, and anew when the client says that they have
   * changed: what it is subscribed to is then looked for again, and ends where that fails.
   */
  contextFor?(roots: RootsResponse['roots'], context: Context): Context | Promise<Context>;
  readonly tools?: ListOf<Tool<Context & Call>>;
  readonly resources?: ListOf<Resource<Context & Call>>;
  readonly prompts?: ListOf<Prompt<Context & Call>>;
  /** Lets handlers send log messages to clients that want them. */
  readonly logging?: boolean;
  /** Entries in one page of a list; 100 unless said otherwise. */
  readonly pageSize?: number;
  /** Keeps the tasks that tools with `task` go on as: `keepTasks()` of `@mcp/protocol/tasks`. */
  readonly tasks?: TaskKeeper;
  /** Capabilities outside the specification, passed on as they are. */
  readonly experimental?: JsonObject;
  /**
   * 32 bytes that seal the state of multi round-trip requests. Replicas that answer for each other
   * share one; otherwise every process makes its own.
   */
  readonly stateKey?: Uint8Array;
};

/** A server as a whole: a value that any number of connections share. */
export interface Server {
  readonly definition: Omit<ServerDefinition<object>, 'context' | 'tools' | 'resources' | 'prompts'>;
  /** What handlers share, or how to load it. */
  readonly context: object | (() => Promise<object>);
  readonly tools: LiveList<Tool<object>>;
  readonly resources: LiveList<Resource<object>>;
  readonly prompts: LiveList<Prompt<object>>;
  /** Which of the lists may change while they are served. */
  readonly live: { readonly tools: boolean; readonly resources: boolean; readonly prompts: boolean };
  /** Which of the lists are loaded later, and are not empty then. */
  readonly later: { readonly tools: boolean; readonly resources: boolean; readonly prompts: boolean };
  /** Fills the lists that are loaded later; undefined where there is none. */
  readonly load: (() => Promise<void>) | undefined;
}

/**
 * A server of tools, resources and prompts over what they share, `context`, ready to be served on any transport. Throws
 * where two of them have the same name.
 */
export function defineServer<Context extends object>(definition: ServerDefinition<Context>): Server {
  const given = definition as Given;
  refuseNameless(definition);
  if (typeof definition.context !== 'object' && typeof definition.context !== 'function') {
    throw new Error('A server needs a `context`, what its handlers share: `{}` where that is nothing');
  }
  const tools = new Listed('tool', given.tools, ({ name }) => name);
  const resources = new Listed('resource', given.resources, ({ uri }) => uri);
  const prompts = new Listed('prompt', given.prompts, ({ name }) => name);
  const loads = [tools.load, resources.load, prompts.load].filter((load) => load !== undefined);
  const needy = [...tools.list].find((tool) => tool.definition.task === 'required');
  if (needy && !definition.tasks) {
    throw new Error(`The tool "${needy.name}" needs tasks, and the server has no \`tasks\` to keep them`);
  }
  return {
    definition: definition as Server['definition'],
    context: definition.context,
    tools: tools.list,
    resources: resources.list,
    prompts: prompts.list,
    live: {
      tools: tools.live,
      resources: resources.live || [...resources.list].some((resource) => resource.definition.watchList),
      prompts: prompts.live,
    },
    later: {
      tools: tools.load !== undefined,
      resources: resources.load !== undefined,
      prompts: prompts.load !== undefined,
    },
    load: loads.length > 0 ? () => loadAll(loads) : undefined,
  };
}

/** What a definition lists, once its handlers' needs have been checked against its context. */
type Given = {
  readonly tools?: ListOf<Tool<object>>;
  readonly resources?: ListOf<Resource<object>>;
  readonly prompts?: ListOf<Prompt<object>>;
};

/** One list of a definition: there already, or yet to be loaded. */
class Listed<T> {
  readonly list: LiveList<T>;
  readonly live: boolean;
  readonly load: (() => Promise<void>) | undefined;

  constructor(kind: string, given: ListOf<T> | undefined, key: (item: T) => string) {
    this.live = given instanceof LiveList;
    if (typeof given === 'function') {
      const list = new LiveList<T>();
      this.list = list;
      this.load = async () => list.replace(refuseTwice(kind, await given(), key));
    } else {
      const items = refuseTwice(kind, given ?? [], key);
      this.list = given instanceof LiveList ? given : new LiveList(items);
      this.load = undefined;
    }
  }
}

async function loadAll(loads: readonly (() => Promise<void>)[]): Promise<void> {
  await Promise.all(loads.map((load) => load()));
}

function refuseTwice<T>(kind: string, items: Iterable<T>, key: (item: T) => string): readonly T[] {
  const seen = new Set<string>();
  for (const item of items) {
    refuseUndefined(kind, item);
    if (seen.has(key(item))) throw new Error(`Two ${kind}s are called "${key(item)}"`);
    seen.add(key(item));
  }
  return [...items];
}
