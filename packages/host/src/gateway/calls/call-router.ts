import { isObject } from '@mcp/kit';
import { errorCodes, RpcError } from '@mcp/protocol';
import {
  type JsonObject,
  memberSource,
  type ProxyCall,
  type ProxyClient,
  type ProxyResult,
} from '@mcp/protocol/proxy';
import type { Named } from '../catalog/catalog.ts';
import type { ClientIdentity } from '../links/client-identity.ts';
import type { ClientServers } from '../catalog/client-servers.ts';
import { type Outgoing, send, sendWithAnswers } from './send.ts';
import type { MultiRoundCall } from './multi-round-call.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { gatewayError, invalid } from '../gateway-error.ts';
import { withheldText } from '../../servers/withheld-text.ts';
import { calledTool, unknownItem, unknownTool } from '../catalog/lazy-tools.ts';
import { publicName, serversOfName } from '../catalog/public-names.ts';
import type { ServerConnection } from '../links/server-connection.ts';
import type { ServerLink } from '../links/server-link.ts';
import type { ServerRequests } from './server-requests.ts';
import { SkillRoutes } from '../catalog/skill-routes.ts';
import type { UriRoute } from '../catalog/uri-routes.ts';

/** A request, and the server that answers it. */
interface Routed extends Outgoing {
  readonly link: ServerLink;
}

export interface CallRouterOptions {
  readonly client: ProxyClient;
  readonly identity: ClientIdentity;
  readonly settings: GatewaySettings;
  readonly servers: ClientServers;
  readonly requests: ServerRequests;
}

/** Methods during which a server may ask the client for input. */
const asking = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** The methods of the extension for skills whose results have URIs, besides the list. */
const skillMethods = new Set(['skills/get', 'resources/directory/read']);

/** Sends each request of one client to the server that must answer it. */
export class CallRouter {
  readonly skills: SkillRoutes;
  readonly #options: CallRouterOptions;

  constructor(options: CallRouterOptions) {
    this.#options = options;
    this.skills = new SkillRoutes(options.identity, options.settings.warn);
  }

  /**
   * A fast path of `request`, which makes only one promise: calls a tool that is already in the catalog, on a
   * connection that is already open. Undefined if this is not possible, or if the client or the server is
   * stateless (2026-07-28).
   */
  callKnown(params: JsonObject, call: ProxyCall): Promise<ProxyResult> | undefined {
    const { name } = params;
    const found = typeof name === 'string' ? this.#options.servers.catalog.tools.get(name) : undefined;
    const connection = found?.link.connection;
    if (!found || !connection || connection.isStateless || !this.#options.identity.converses)
      return undefined;
    const { item } = found;
    const outgoing = {
      method: 'tools/call',
      params: { ...params, name: item.name },
      source: call.source,
      outputSchema: item.outputSchema,
    };
    return send(connection, outgoing, call, { identity: this.#options.identity.at(call.logLevel) });
  }

  async request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult> {
    if (!this.#mayBeAsked(method, params)) return this.#deliver(method, params, call);
    const resumed = this.#options.requests.resume(params, call);
    return await (resumed ??
      this.#options.requests.call(call, (rounds) => this.#deliver(method, params, call, rounds)));
  }

  /** Finds the tool with this public name, also on servers that must be started first. */
  async tool(name: string): Promise<Named<'tools'> | undefined> {
    return this.#options.servers.catalog.tools.get(name) ?? (await this.#started(name)).tools.get(name);
  }

  /** The server of a URI, and the URI as that server knows it; throws an `RpcError` if no server has it. */
  async resource(uri: string, signal?: AbortSignal): Promise<UriRoute> {
    const { servers } = this.#options;
    const isSkill = uri.startsWith('skill://');
    const known = isSkill ? undefined : servers.catalog.uris.find(uri);
    if (known) return known;
    await servers.waitForStart();
    const found =
      (isSkill ? await this.skills.find(servers.links, uri, signal) : undefined) ??
      servers.catalog.uris.find(uri);
    if (found) return found;
    const names =
      this.#options.servers.names.length > 1
        ? '; a URI that names its server has the form mcp://<server>/<uri>'
        : '';
    throw invalid(`No server lists the resource "${uri}"${names}`, { uri });
  }

  /**
   * Calls `changed` with the state of each task, now and after changes; returns the ids of the tasks that it
   * watches, and a function that stops.
   */
  async watchTasks(taskIds: readonly string[], changed: (task: JsonObject) => void) {
    const watches = await Promise.all(
      taskIds.map((id) => this.#watchTask(id, changed).catch(() => undefined)),
    );
    return {
      watchable: taskIds.filter((_, index) => watches[index]),
      stop: () => watches.forEach((stop) => stop?.()),
    };
  }

  /** The servers that may have the tool, prompt or resource that a request names. */
  #possible(method: string, params: JsonObject): readonly string[] {
    const { lazy } = this.#options.settings;
    const { name } = lazy && method === 'tools/call' ? calledTool(params) : params;
    return typeof name === 'string' ? this.#possibleOf(name) : this.#options.servers.names;
  }

  #possibleOf(name: string): readonly string[] {
    const { names } = this.#options.servers;
    return this.#options.settings.prefixed ? serversOfName(name, names) : names;
  }

  /** Starts the servers that a name may belong to, and returns the catalog. */
  async #started(name: string) {
    const possible = this.#possibleOf(name);
    const links = this.#options.servers.links.filter((link) => possible.includes(link.name));
    const started = await Promise.allSettled(links.map((link) => link.open()));
    const { catalog } = this.#options.servers;
    // If only one server can have a tool of this name, and it cannot be started, the caller gets the error of
    // the start.
    const [first] = started;
    if (started.length === 1 && first?.status === 'rejected' && !catalog.tools.has(name)) throw first.reason;
    return catalog;
  }

  #sourceOf(method: string, { source }: ProxyCall) {
    return source && this.#options.settings.lazy && method === 'tools/call'
      ? memberSource(source, 'arguments')
      : source;
  }

  async #route(method: string, params: JsonObject, call: ProxyCall): Promise<Routed> {
    switch (method) {
      case 'tools/call':
        return this.#routeTool(this.#options.settings.lazy ? calledTool(params) : params);
      case 'prompts/get': {
        const { link, item } = await this.#prompt(params['name']);
        return { link, method, params: { ...params, name: item.name } };
      }
      case 'resources/read': {
        const { link, uri } = await this.resource(stringParam(params, 'uri'), call.signal);
        return { link, method, params: { ...params, uri } };
      }
      case 'completion/complete':
        return this.#routeCompletion(params);
      case 'tasks/get':
      case 'tasks/update':
      case 'tasks/cancel': {
        const { link, taskId } = this.#task(stringParam(params, 'taskId'));
        return { link, method, params: { ...params, taskId } };
      }
      case 'skills/get':
      case 'resources/directory/read': {
        const { link, uri } = await this.resource(stringParam(params, 'uri'), call.signal);
        return { link, method, params: { ...params, uri } };
      }
      default:
        return { link: this.#extended(method), method, params };
    }
  }

  async #routeTool(params: JsonObject): Promise<Routed> {
    const name = stringParam(params, 'name');
    const found = await this.tool(name);
    if (!found)
      throw invalid((await this.#withheld(name)) ?? unknownTool(name, this.#options.servers.catalog.tools));
    const { link, item } = found;
    return {
      link,
      method: 'tools/call',
      params: { ...params, name: item.name },
      outputSchema: item.outputSchema,
    };
  }

  /** The reason why a tool that is hidden until the user accepts it cannot be called; otherwise undefined. */
  async #withheld(name: string): Promise<string | undefined> {
    const { servers, prefixed } = this.#options.settings;
    for (const server of this.#possibleOf(name)) {
      const withheld = await servers.withheldTools(server).catch(() => []);
      const tool = withheld.find((each) => publicName(server, each, prefixed) === name);
      if (tool !== undefined) return withheldText(server, tool);
    }
    return undefined;
  }

  async #prompt(name: unknown): Promise<Named<'prompts'>> {
    if (typeof name !== 'string') throw invalid('"name" must be a string');
    const found =
      this.#options.servers.catalog.prompts.get(name) ?? (await this.#started(name)).prompts.get(name);
    if (found) return found;
    throw invalid(unknownItem('prompt', name, this.#options.servers.catalog.prompts.keys()));
  }

  async #routeCompletion(params: JsonObject): Promise<Routed> {
    const { ref } = params;
    if (!isObject(ref)) throw invalid('"ref" must be an object');
    const method = 'completion/complete';
    if (ref['type'] === 'ref/prompt') {
      const { link, item } = await this.#prompt(ref['name']);
      return { link, method, params: { ...params, ref: { ...ref, name: item.name } } };
    }
    const uri = stringParam(ref, 'uri');
    await this.#options.servers.waitForStart();
    const { link, uri: own } =
      this.#options.servers.catalog.uris.findTemplate(uri) ?? (await this.resource(uri));
    return { link, method, params: { ...params, ref: { ...ref, uri: own } } };
  }

  /**
   * The server for a method of an extension: the only one that declares an extension which the client also
   * declares. Throws an `RpcError` if no server does, or several do.
   */
  #extended(method: string): ServerLink {
    const { identity, servers } = this.#options;
    const having = servers.links.filter(({ connection }) => {
      const { extensions } = connection?.client.capabilities ?? {};
      return isObject(extensions) && Object.keys(extensions).some((id) => identity.extensions.has(id));
    });
    const [link, ...others] = having;
    if (!link)
      throw new RpcError(errorCodes.methodNotFound, `No server has an extension with the method "${method}"`);
    if (others.length === 0) return link;
    const names = having.map(({ name }) => name).join(', ');
    throw invalid(
      `Several servers have extensions of this client: ${names}; serve one of them alone for "${method}"`,
    );
  }

  #task(id: string): { link: ServerLink; taskId: string } {
    const task = this.#options.settings.taskIds.open(id, this.#options.client.principal);
    const link = task && this.#options.servers.links.find(({ name }) => name === task.server);
    if (!link) throw invalid(`Unknown task: "${id}"`);
    return { link, taskId: task.taskId };
  }

  /**
   * Sends a request to its server. `rounds` is given if the server may send requests to the client during the
   * call.
   */
  async #deliver(
    method: string,
    params: JsonObject,
    call: ProxyCall,
    rounds?: MultiRoundCall,
  ): Promise<ProxyResult> {
    const { conversation } = this.#options.client;
    const { anonymous } = this.#options.identity;
    // Requests that the server sends while it starts are assigned to this call. An anonymous client is an
    // exception: it is known only by its name, and another client with this name may have started the server.
    if (rounds && !anonymous) {
      const names = this.#possible(method, params);
      this.#options.requests.assign(rounds, ({ entry }) => names.includes(entry.name));
    }
    const routed = { ...(await this.#route(method, params, call)), source: this.#sourceOf(method, call) };
    const { link } = routed;
    const primary = await link.open();
    const isOlder = !primary.isStateless;
    if (rounds && isOlder && params['requestState'] !== undefined)
      throw invalid(
        'Unknown "requestState": its call has ended, or was never made; send the request again without it',
      );
    // The call gets a connection for itself if it would otherwise be unknown to which client a message of the
    // server belongs. The calls of one client may run together on a connection that only this client uses.
    const alone = this.#logsApart(primary, call) || (rounds !== undefined && anonymous && isOlder);
    const connection = alone ? await link.acquire() : primary;
    if (rounds) this.#options.requests.assign(rounds, (on) => on === connection && isOlder);
    const identity = this.#options.identity.at(call.logLevel);
    try {
      const answer = await (conversation
        ? sendWithAnswers(connection, routed, call, { identity, conversation })
        : send(connection, routed, call, {
            identity,
            ...(rounds && { signal: rounds.signal, currentCall: () => rounds.currentCall }),
          }));
      return this.#withOwnIds(routed, params, answer);
    } finally {
      if (alone) link.release(connection);
    }
  }

  /** Whether a log message for this call could be mistaken for one that belongs to another client's call. */
  #logsApart(connection: ServerConnection, { logLevel }: ProxyCall): boolean {
    if (this.#options.client.conversation || logLevel === undefined || !connection.logs) return false;
    return connection.isShared || this.#options.identity.anonymous;
  }

  /**
   * Whether the call possibly needs several rounds (see `MultiRoundCall`): the client is of 2026-07-28, and
   * the server can be of an older revision, which sends requests to the client before it responds.
   */
  #mayBeAsked(method: string, { name }: JsonObject): boolean {
    if (this.#options.client.conversation || !this.#options.identity.answers || !asking.has(method))
      return false;
    const known =
      method === 'tools/call' && typeof name === 'string' && this.#options.servers.catalog.tools.get(name);
    return !known || known.link.connection?.isStateless !== true;
  }

  /** Replaces the server's task id and URIs in a result by the ones under which the client knows them. */
  #withOwnIds({ link, method, params }: Routed, asked: JsonObject, answer: ProxyResult): ProxyResult {
    const { result, ...others } = answer;
    const { taskId, contents } = result;
    if (typeof taskId === 'string' && (method.startsWith('tasks/') || result['resultType'] === 'task')) {
      const own = this.#options.settings.taskIds.seal(
        { server: link.name, taskId },
        this.#options.client.principal,
      );
      return {
        ...others,
        result: { ...result, taskId: method.startsWith('tasks/') ? asked['taskId'] : own },
      };
    }
    if (skillMethods.has(method))
      return { ...others, result: this.skills.renamed(result, String(params['uri']), String(asked['uri'])) };
    if (method !== 'resources/read' || params['uri'] === asked['uri'] || !Array.isArray(contents))
      return answer;
    const renamed = contents.map((part) =>
      isObject(part) && part['uri'] === params['uri'] ? { ...part, uri: asked['uri'] } : part,
    );
    return { ...others, result: { ...result, contents: renamed } };
  }

  async #watchTask(id: string, changed: (task: JsonObject) => void): Promise<() => void> {
    const { link, taskId } = this.#task(id);
    const { client, entry } = await link.open();
    const identity = this.#options.identity.at(undefined);
    const tell = async () => {
      const {
        resultType: _type,
        _meta,
        ...task
      } = await client.forward('tasks/get', { taskId }, { identity });
      changed({ ...task, taskId: id });
    };
    try {
      const stop = await client.tasks.watch(taskId, () => void tell().catch(() => {}), { identity });
      await tell();
      return () => void stop();
    } catch (error) {
      throw gatewayError(error, entry);
    }
  }
}

function stringParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw invalid(`"${name}" must be a string`);
}
