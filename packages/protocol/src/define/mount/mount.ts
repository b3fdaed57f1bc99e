import { emitWarning, messageOf } from '@mcp/kit';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { ServedExtension } from '../extension.ts';
import { inContext } from './in-context.ts';
import { LiveList } from '../live-list.ts';
import type { Mount } from './mounted.ts';
import { isMountable } from './mounted-extensions.ts';
import type { ListedResource } from '../content.ts';
import { refuseNoName, refuseToolName } from '../mistakes.ts';
import type { Prompt } from '../prompt.ts';
import type { Resource } from '../resource.ts';
import { internalsOf, type Server } from '../server.ts';
import type { Tool } from '../tool.ts';
import type { UriTemplate } from '../uri-template.ts';
import { OwnedTemplate } from './owned-template.ts';
import { Selection, type MountOptions } from './selection.ts';
import { runThrough, type Wrap, type WrappedCall } from '../wrap.ts';

/**
 * Makes a server a part of another one, with all its tools, prompts and resources, their subscriptions,
 * completions and tasks, and the views of its tools. The handlers of the mounted server keep the context of
 * that server, and run inside the functions of that server's `wrap`. URIs of resources stay as they are,
 * because results link to them. Throws an `Error` for a proxy, and for a name in the options that the server
 * does not have; names of lists that are loaded later are checked when they are loaded.
 * @example
 * ```ts
 * import { defineServer, defineTool, mount } from '@mcp/protocol';
 *
 * const now = defineTool({ name: 'now', description: 'Says the time.', run: () => Date() });
 * const clock = defineServer({ name: 'clock', version: '1.0.0', tools: [now] });
 *
 * export const server = defineServer({
 *   name: 'everything',
 *   version: '1.0.0',
 *   mounts: [mount(clock, { prefix: 'clock' })], // its tool is `clock_now`
 * });
 * ```
 */
export function mount<Who = Caller | undefined>(server: Server<Who>, options: MountOptions = {}): Mount<Who> {
  const { live, deferred, load, proxy } = internalsOf(server as Server);
  if (proxy) throw new Error('A proxy cannot be mounted: its lists differ by client');
  const selection = new Selection(server as Server, options);
  const isDeferred = Object.values(deferred).includes(true);
  if (!isDeferred) selection.check();
  const inside = new Inside(server as Server, selection);
  return {
    tools: {
      list: follow(server.tools, deferred.tools, (tool) =>
        selection.hasTool(tool) ? inside.tool(tool) : undefined,
      ),
      live: live.tools,
      deferred: deferred.tools,
    },
    prompts: {
      list: follow(server.prompts, deferred.prompts, (prompt) =>
        selection.hasPrompt(prompt) ? inside.prompt(prompt) : undefined,
      ),
      live: live.prompts,
      deferred: deferred.prompts,
    },
    resources: {
      list: follow(server.resources, deferred.resources, (resource) =>
        selection.hasResource(resource) ? inside.resource(resource) : undefined,
      ),
      live: live.resources,
      deferred: deferred.resources,
    },
    extensions: mountedExtensions(server as Server, selection, inside),
    load: load || typeof server.context === 'function' ? () => inside.load(load) : undefined,
  };
}

/** The extensions that are mounted: of views, those of the tools that are chosen. */
function mountedExtensions(
  { definition, tools }: Server,
  selection: Selection,
  inside: Inside,
): readonly ServedExtension<object>[] {
  const chosen = new Set(
    [...tools].flatMap((tool) => (selection.hasTool(tool) ? (tool.definition.view?.uri ?? []) : [])),
  );
  const isChosen = ({ uri }: Resource<object>) => !selection.isPartial || chosen.has(uri);
  return (definition.extensions ?? []).filter(isMountable).map((served) => ({
    ...served,
    resources: served.resources.filter(isChosen).map((resource) => inside.resource(resource)),
  }));
}

/**
 * Returns a list that follows `list`: it has the results of `change` for the current items. Items for which
 * `change` returns undefined are left out. So is, with a warning, an item for which it throws, if it was
 * added later: the owner of the list cannot know the names of a mount. While a list is loaded, it throws.
 */
function follow<Item>(
  list: LiveList<Item>,
  isDeferred: boolean,
  change: (item: Item) => Item | undefined,
): LiveList<Item> {
  const followed = new LiveList([...list].flatMap((item) => change(item) ?? []));
  const changed = (item: Item) => {
    try {
      return change(item) ?? [];
    } catch (error) {
      if (isDeferred) throw error;
      emitWarning(`An item of a mounted server is left out: ${messageOf(error)}`);
      return [];
    }
  };
  list.watch(() => followed.replace([...list].flatMap(changed)));
  return followed;
}

/** Runs handlers in the context of a mounted server, and inside its `wrap`. */
class Inside {
  readonly #server: Server;
  readonly #selection: Selection;
  readonly #wraps: readonly Wrap<object>[];
  #context: object | undefined;

  constructor(server: Server, selection: Selection) {
    this.#server = server;
    this.#selection = selection;
    this.#wraps = server.definition.wrap ?? [];
    if (typeof server.context !== 'function') this.#context = server.context;
  }

  async load(lists: (() => Promise<void>) | undefined): Promise<void> {
    const { context } = this.#server;
    const [loaded] = await Promise.all([typeof context === 'function' ? context() : context, lists?.()]);
    this.#context = loaded;
    this.#selection.check();
  }

  tool(tool: Tool<object>): Tool<object> {
    const name = this.#selection.nameOf(tool.name);
    refuseToolName(name);
    const subject = (args: unknown) => ({ method: 'tools/call', name: tool.name, args }) as const;
    return {
      ...tool,
      name,
      definition: { ...tool.definition, name },
      run: (args, call) => this.#run(call, subject(args), (own) => tool.run(args, own)),
    };
  }

  prompt(prompt: Prompt<object>): Prompt<object> {
    const name = this.#selection.nameOf(prompt.name);
    refuseNoName('prompt', name);
    const subject = (args: unknown) => ({ method: 'prompts/get', name: prompt.name, args }) as const;
    return {
      ...prompt,
      name,
      definition: { ...prompt.definition, name },
      complete: this.#completers(prompt.complete),
      run: (args, call) => this.#run(call, subject(args), (own) => prompt.run(args, own)),
    };
  }

  resource(resource: Resource<object>): Resource<object> {
    const { definition, template } = resource;
    const { watch, list, watchList, complete } = definition;
    return {
      ...resource,
      template: this.#selection.isPartial ? template && this.#owned(resource, template) : template,
      definition: {
        ...definition,
        read: (variables, call) => {
          const subject = { method: 'resources/read', name: call.uri, args: variables } as const;
          return this.#run(call, subject, (own) => definition.read(variables, own));
        },
        ...(watch && {
          watch: (variables, changed, call) => watch.call(definition, variables, changed, this.#own(call)),
        }),
        ...(list && {
          list: async (call) => this.#mounted(await list.call(definition, this.#own(call))),
        }),
        ...(watchList && {
          watchList: (changed, call) => watchList.call(definition, changed, this.#own(call)),
        }),
        ...(complete && { complete: this.#completers(complete) }),
      },
    };
  }

  #owned(resource: Resource<object>, template: UriTemplate): UriTemplate {
    return new OwnedTemplate(template, (uri) => this.#selection.ownerOf(uri) === resource);
  }

  /** The listed resources without those that belong to a resource which is not mounted. */
  async *#mounted(
    listed: Iterable<ListedResource> | AsyncIterable<ListedResource>,
  ): AsyncIterable<ListedResource> {
    for await (const each of listed) {
      const owner = this.#selection.isPartial ? this.#selection.ownerOf(each.uri) : undefined;
      if (!owner || this.#selection.hasResource(owner)) yield each;
    }
  }

  #completers(completers: Prompt<object>['complete']): Prompt<object>['complete'] {
    const own = Object.entries(completers).map(([argument, complete]) => [
      argument,
      (typed: string, call: Parameters<NonNullable<typeof complete>>[1]) =>
        this.#run(call, { method: 'completion/complete', name: argument, args: undefined }, (inner) =>
          complete?.(typed, inner),
        ),
    ]);
    return Object.fromEntries(own) as Prompt<object>['complete'];
  }

  #run<Given extends Call<object>>(
    call: Given,
    subject: Pick<WrappedCall, 'method' | 'name' | 'args'>,
    run: (own: Given) => unknown,
  ): unknown {
    const own = this.#own(call);
    if (this.#wraps.length === 0) return run(own);
    const { abort } = call as { abort?: WrappedCall['abort'] };
    const wrapped = { ...subject, call: own, abort: (reason: unknown) => abort?.call(call, reason) };
    return runThrough(this.#wraps, wrapped, () => run(own));
  }

  #own<Given extends Call<object>>(call: Given): Given {
    if (!this.#context)
      throw new Error(
        `The context of the mounted server "${this.#server.definition.name}" is not loaded; call "load" of the mount first`,
      );
    return inContext(call, this.#context);
  }
}
