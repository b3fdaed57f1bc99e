import { inNextTurn } from '../platform/in-next-turn.ts';
import type { Caller } from '../define/caller.ts';
import { isAccepted, type ServedExtension } from '../define/extension.ts';
import type { Observer } from '../define/observer.ts';
import type { Prompt } from '../define/prompt.ts';
import type { ListKind } from '../define/live-list.ts';
import type { Resource, Stop } from '../define/resource.ts';
import { internalsOf, type Server, type ServerInternals } from '../define/server.ts';
import { tasksExtension } from '../revisions/tasks-extension.ts';
import type { Tool } from '../define/tool.ts';
import type { UriValues } from '../define/uri-template.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { metaKeys } from '../revisions/meta-keys.ts';
import { ResultEncoder } from '../revisions/encode-result.ts';
import { pick } from '../revisions/encode.ts';
import type { Revision } from '../revisions/revision.ts';
import { modern } from '../revisions/table.ts';
import { type Guarded, lackingScopes, requireScopes, usableBy } from './access.ts';
import { ActiveCall, type Peer } from './call/active-call.ts';
import { capabilitiesOf, offers } from './capabilities.ts';
import { sharedOutlet } from './call/outlet.ts';
import { RequestStateSeal } from './call/request-state.ts';
import type { Result } from './call/result.ts';
import { SharedWatches } from './watches/shared-watches.ts';
import type { Wraps } from './wrapped.ts';
import { stopAll } from './watches/stop-all.ts';
import type { TaskService } from './call/task-service.ts';

/** A task manager whose `createFor` has the type that this package uses. */
interface CreatesTasks {
  readonly createFor: (runtime: Runtime) => TaskService;
}

/** An extension of a server: one of its author, or the tasks extension of this package. */
export interface HostedExtension extends ServedExtension<object> {
  /** Answers the methods, if `run` does not: without schemas, `wrap` and questions. */
  readonly answer?: TaskService['answer'];
}

const runtimes = new WeakMap<Server, Runtime>();

/**
 * A context, and the watches of resources and lists that were started with it. Conversations without a
 * context of their own share the view of the {@link Runtime}.
 */
export interface View {
  /** Undefined until the context is loaded. */
  readonly context: object | undefined;
  readonly watches: SharedWatches;
}

/** The state that all connections of one server share: its definitions by name, and caches. */
export class Runtime implements View {
  readonly server: Server;
  readonly live: ServerInternals['live'];
  readonly proxy: ServerInternals['proxy'];
  context: object | undefined;
  readonly watches = new SharedWatches();
  readonly seal: RequestStateSeal;
  readonly results: ResultEncoder;
  readonly tasks: TaskService | undefined;
  readonly wraps: Wraps;
  readonly observer: Observer | undefined;
  readonly pageSize: number;
  #capabilities: JsonObject = {};
  readonly #methods = new Map<Revision, Set<string>>();
  readonly served: readonly HostedExtension[];
  /** The resources of extensions. */
  readonly unlisted: readonly Resource<object>[];
  /** The current definitions of each list. When a list changes, its array is replaced. */
  tools: readonly Tool<object>[] = [];
  prompts: readonly Prompt<object>[] = [];
  resources: readonly Resource<object>[] = [];
  templates: readonly Resource<object>[] = [];
  #tools = new Map<string, Tool<object>>();
  #prompts = new Map<string, Prompt<object>>();
  #fixed = new Map<string, Resource<object>>();
  /** The templates, listed or not, in the order in which a URI is compared with them. */
  #matched: readonly Resource<object>[] = [];
  #load: (() => Promise<void>) | undefined;
  #loading: Promise<void> | undefined;
  readonly #encoded = new WeakMap<object, Map<Revision, Result | Promise<Result>>>();

  /** The runtime of `server`, which is created at its first connection. */
  static of(server: Server): Runtime {
    let runtime = runtimes.get(server);
    if (!runtime) runtimes.set(server, (runtime = new Runtime(server)));
    return runtime;
  }

  private constructor(server: Server) {
    const { definition, context, tools, resources, prompts } = server;
    const { live, load, proxy } = internalsOf(server);
    this.server = server;
    this.live = live;
    this.proxy = proxy;
    this.seal = new RequestStateSeal(definition.name, definition.stateKey);
    this.results = new ResultEncoder({ [metaKeys.serverInfo]: this.info(modern) });
    this.tasks = (definition.tasks as CreatesTasks | undefined)?.createFor(this);
    const { wrap = [], observe } = definition;
    this.observer = observe;
    this.wraps = wrap.length > 0 ? wrap : undefined;
    this.pageSize = definition.pageSize ?? 100;
    this.served = [...(definition.extensions ?? []), ...servedTasks(this.tasks, proxy !== undefined)];
    this.unlisted = this.served.flatMap((served) => served.resources);
    this.#load = load;
    if (typeof context === 'function') {
      this.#load = async () => {
        const [loaded] = await Promise.all([context(), load?.()]);
        if (typeof loaded !== 'object' || loaded === null) {
          throw new Error('The function `context` of the server must return a promise of an object');
        }
        this.context = loaded;
      };
    } else {
      this.context = context;
    }
    this.#index();
    for (const list of [tools, resources, prompts]) list.watch(() => this.#index());
  }

  /** True once all lists and the context are loaded. */
  get loaded(): boolean {
    return this.#load === undefined;
  }

  /** Loads the lists and the context, unless they are loaded. After a failure, the next call tries again. */
  async load(): Promise<void> {
    if (!this.#load) return;
    this.#loading ??= this.#load();
    try {
      await this.#loading;
      this.#load = undefined;
    } finally {
      this.#loading = undefined;
    }
  }

  /** Loads the lists and the context after the current answer, because clients request the lists next. */
  loadSoon(): void {
    if (this.#load) inNextTurn(() => void this.load().catch(() => undefined));
  }

  #index(): void {
    const { tools, resources, prompts } = this.server;
    this.#tools = new Map([...tools].map((tool) => [tool.name, tool]));
    this.#prompts = new Map([...prompts].map((prompt) => [prompt.name, prompt]));
    this.tools = [...this.#tools.values()];
    this.prompts = [...this.#prompts.values()];
    this.resources = [...resources];
    this.templates = this.resources.filter(({ template }) => template);
    this.#matched = [...this.templates, ...this.unlisted.filter(({ template }) => template)];
    const fixed = [...this.unlisted, ...this.resources].filter(({ template }) => !template);
    this.#fixed = new Map(fixed.map((resource) => [resource.uri, resource]));
    this.#capabilities = capabilitiesOf(this.server, this.served);
    this.#methods.clear();
  }

  /**
   * The capabilities of a server for a client, in the form of its revision: with the extensions that are
   * available in this revision and of use to the client.
   */
  capabilitiesFor(
    { revision, capabilities: client }: Pick<Peer, 'revision' | 'capabilities'>,
    { extensions, ...capabilities }: JsonObject,
  ): JsonObject {
    const carried = Object.entries(extensions ?? {}).filter(([id]) => {
      const served = this.served.find(({ extension }) => extension.id === id);
      return (
        !served ||
        (carries(served, revision) && (!isForAccepted(served) || isAccepted(client, served.extension)))
      );
    });
    return {
      ...pick(revision, 'capabilities', capabilities),
      ...(carried.length > 0 && { extensions: Object.fromEntries(carried) }),
    };
  }

  /** Whether the capabilities are the same for all clients. */
  get describesAllAlike(): boolean {
    return !this.served.some(isForAccepted);
  }

  /** The methods that a revision defines and this server supports. */
  methodsIn(revision: Revision): ReadonlySet<string> {
    let offered: Set<string> | undefined = this.#methods.get(revision);
    if (!offered) {
      offered = new Set([...revision.requests].filter((method) => offers(this.#capabilities, method)));
      for (const served of this.served)
        if (carries(served, revision))
          for (const method of Object.keys(served.extension.methods)) offered.add(method);
      this.#methods.set(revision, offered);
    }
    return offered;
  }

  /** The capabilities of this server, in the form of the newest revision, and its instructions. */
  get description() {
    return { capabilities: this.#capabilities, instructions: this.server.definition.instructions };
  }

  info(revision: Revision): JsonObject {
    return pick(revision, 'implementation', this.server.definition);
  }

  /** Whether a tool, prompt or resource requires scopes. */
  get requiresScopes(): boolean {
    const { tools, prompts, resources, unlisted } = this;
    return [tools, prompts, resources, unlisted].some((items) => requireScopes(items));
  }

  /** The lists that a client hears of, and that another caller sees differently because of its scopes. */
  changedLists(before: Caller | undefined, now: Caller | undefined): readonly ListKind[] {
    const kinds: readonly ListKind[] = ['tools', 'prompts', 'resources'];
    return kinds.filter((kind) => {
      const items: readonly Guarded[] = this[kind];
      return this.live[kind] && usableBy(items, before) !== usableBy(items, now);
    });
  }

  tool(name: string): Tool<object> | undefined {
    return this.#tools.get(name);
  }

  prompt(name: string): Prompt<object> | undefined {
    return this.#prompts.get(name);
  }

  /** The resource at a URI, and the values of its template's variables; undefined if there is none. */
  resource(uri: string): { readonly resource: Resource<object>; readonly variables: UriValues } | undefined {
    const fixed = this.#fixed.get(uri);
    if (fixed) return { resource: fixed, variables: {} };
    for (const resource of this.#matched) {
      const variables = resource.template?.match(uri);
      if (variables) return { resource, variables };
    }
    return undefined;
  }

  /** Returns the result of `make` with its text, cached for each revision as long as `key` exists. */
  encodeOnce(
    key: object,
    revision: Revision,
    make: () => Result | Promise<Result>,
  ): Result | Promise<Result> {
    let encoded = this.#encoded.get(key);
    if (!encoded) this.#encoded.set(key, (encoded = new Map()));
    let result = encoded.get(revision);
    if (!result) {
      result = make();
      if (!(result instanceof Promise)) result = this.results.withText(revision, result);
      encoded.set(revision, result);
    }
    return result;
  }

  /**
   * Calls `changed` after every change of a resource. Returns undefined if the resource cannot be watched, or
   * if `caller` lacks a scope that the resource requires.
   */
  watchResource(
    uri: string,
    changed: () => void,
    caller: Caller | undefined,
    view: View = this,
  ): Promise<Stop> | undefined {
    const found = this.resource(uri);
    const definition = found?.resource.definition;
    const watch = definition?.watch?.bind(definition);
    if (!found || !watch || lackingScopes(found.resource, caller).length > 0) return undefined;
    const start = (tell: () => void) => watch(found.variables, tell, watchCall(view, uri));
    return view.watches.join(uri, start, changed);
  }

  /** Calls `changed` after every change of a list, also those that a resource's `watchList` reports. */
  async watchList(kind: ListKind, changed: () => void, view: View = this): Promise<Stop> {
    const stops: Stop[] = [this.server[kind].watch(changed)];
    try {
      for (const { uri, definition } of kind === 'resources' ? this.resources : []) {
        const watchList = definition.watchList?.bind(definition);
        if (!watchList) continue;
        const start = (tell: () => void) => watchList(tell, watchCall(view, uri));
        stops.push(await view.watches.join(`list ${uri}`, start, changed));
      }
    } catch (error) {
      await stopAll(stops);
      throw error;
    }
    return () => stopAll(stops);
  }
}

/** The tasks extension, where the server has tasks, or is a proxy, which passes its methods on. */
function servedTasks(tasks: TaskService | undefined, isProxy: boolean): readonly HostedExtension[] {
  const extension = { extension: tasksExtension, settings: {}, run: {}, resources: [] };
  if (isProxy) return [extension];
  return tasks ? [{ ...extension, answer: (...request) => tasks.answer(...request) }] : [];
}

function carries({ extension: { revisions } }: ServedExtension<object>, { version }: Revision): boolean {
  return revisions?.includes(version) ?? true;
}

/** Whether the extension is declared only to clients that it accepts: no other client can use it. */
function isForAccepted({ extension: { accepts, methods } }: ServedExtension<object>): boolean {
  return accepts !== undefined && Object.keys(methods).length === 0;
}

/** The call that a watch gets. Several clients share a watch, so it is never cancelled and sends nothing. */
function watchCall({ context }: View, uri: string): ActiveCall {
  const call = new ActiveCall(0, silentCaller, silentOutlet, undefined, context);
  call.uri = uri;
  return call;
}

const silentCaller = { revision: modern, capabilities: {}, logLevel: undefined, requests: undefined };

const silentOutlet = sharedOutlet(() => {}, { congested: false, drained: () => Promise.resolve() });
