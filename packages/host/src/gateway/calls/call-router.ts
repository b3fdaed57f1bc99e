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
import { type Outgoing, send, sendWithAnswers } from './forward.ts';
import type { HeldCall } from './held-calls.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import { gatewayError, invalid, isObject } from '../gateway-error.ts';
import { withheldText } from '../../servers/withheld-text.ts';
import { calledTool, unknownItem, unknownTool } from '../catalog/lazy-tools.ts';
import { publicName, serversOfName } from '../catalog/public-names.ts';
import type { ServerConnection } from '../links/server-connection.ts';
import type { ServerLink } from '../links/server-link.ts';
import type { ServerRequests } from './server-requests.ts';
import type { UriRoute } from '../catalog/uri-routes.ts';

/** A request, and the server that answers it. */
interface Routed extends Outgoing {
  readonly link: ServerLink;
}

export interface CallRouterOptions {
  readonly client: ProxyClient;
  readonly identity: ClientIdentity;
  readonly parts: GatewayParts;
  readonly servers: ClientServers;
  readonly requests: ServerRequests;
}

/** Methods whose servers may require input. */
const asking = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Sends the requests of one client to the servers that they are for. */
export class CallRouter {
  readonly #client: ProxyClient;
  readonly #identity: ClientIdentity;
  readonly #parts: GatewayParts;
  readonly #servers: ClientServers;
  readonly #requests: ServerRequests;

  constructor({ client, identity, parts, servers, requests }: CallRouterOptions) {
    this.#client = client;
    this.#identity = identity;
    this.#parts = parts;
    this.#servers = servers;
    this.#requests = requests;
  }

  /**
   * Calls a tool that is listed, of a server that the client has a conversation with. Undefined for any
   * other: this is the way of most calls, with one promise.
   */
  callKnown(params: JsonObject, call: ProxyCall): Promise<ProxyResult> | undefined {
    const { name } = params;
    const found = typeof name === 'string' ? this.#servers.catalog.tools.get(name) : undefined;
    const connection = found?.link.connection;
    if (!found || !connection || connection.stateless || !this.#identity.converses) return undefined;
    const { item } = found;
    const outgoing = {
      method: 'tools/call',
      params: { ...params, name: item.name },
      source: call.source,
      outputSchema: item.outputSchema,
    };
    return send(connection, outgoing, call, { identity: this.#identity.at(call.logLevel) });
  }

  async request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult> {
    if (this.#mayBeAsked(method, params)) {
      const resumed = this.#requests.resume(params, call);
      return await (resumed ??
        this.#requests.call(call, (held) => this.#requestHeld(method, params, call, held)));
    }
    const routed = { ...(await this.#route(method, params)), source: this.#sourceOf(method, call) };
    const connection = await routed.link.open();
    const answer = await this.#send(routed, connection, call);
    return this.#withOwnIds(routed, params, answer);
  }

  /** A tool by its public name; undefined for an unknown one. */
  async tool(name: string): Promise<Named<'tools'> | undefined> {
    return this.#servers.catalog.tools.get(name) ?? (await this.#started(name)).tools.get(name);
  }

  /** The server of a URI; throws an `RpcError` if no server has it. */
  async resource(uri: string): Promise<UriRoute> {
    const known = this.#servers.catalog.uris.find(uri);
    if (known) return known;
    await this.#servers.settle();
    const found = this.#servers.catalog.uris.find(uri);
    if (found) return found;
    const names = this.#parts.names.length > 1 ? '; with its server it is mcp://<server>/<uri>' : '';
    throw invalid(`No server has the resource "${uri}"${names}`, { uri });
  }

  /** Calls `changed` with these tasks after every change. */
  async watchTasks(taskIds: readonly string[], changed: (task: JsonObject) => void) {
    const watches = await Promise.all(
      taskIds.map((id) => this.#watchTask(id, changed).catch(() => undefined)),
    );
    return {
      watchable: taskIds.filter((_, index) => watches[index]),
      stop: () => watches.forEach((stop) => stop?.()),
    };
  }

  /** The servers that may have the tool, prompt or resource of a request. */
  #possible(method: string, params: JsonObject): readonly string[] {
    const { lazy, names } = this.#parts;
    const { name } = lazy && method === 'tools/call' ? calledTool(params) : params;
    return typeof name === 'string' ? this.#possibleOf(name) : names;
  }

  #possibleOf(name: string): readonly string[] {
    const { names, prefixed } = this.#parts;
    return prefixed ? serversOfName(name, names) : names;
  }

  /** The catalog once the servers that a name may belong to have started. */
  async #started(name: string) {
    const possible = this.#possibleOf(name);
    const links = this.#servers.links.filter((link) => possible.includes(link.name));
    const started = await Promise.allSettled(links.map((link) => link.open()));
    const { catalog } = this.#servers;
    // Where the only server of that name cannot be started, that is the reason.
    const [first] = started;
    if (started.length === 1 && first?.status === 'rejected' && !catalog.tools.has(name)) throw first.reason;
    return catalog;
  }

  #sourceOf(method: string, { source }: ProxyCall) {
    return source && this.#parts.lazy && method === 'tools/call' ? memberSource(source, 'arguments') : source;
  }

  async #route(method: string, params: JsonObject): Promise<Routed> {
    switch (method) {
      case 'tools/call':
        return this.#routeTool(this.#parts.lazy ? calledTool(params) : params);
      case 'prompts/get': {
        const { link, item } = await this.#prompt(params['name']);
        return { link, method, params: { ...params, name: item.name } };
      }
      case 'resources/read': {
        const { link, uri } = await this.resource(stringParam(params, 'uri'));
        return { link, method, params: { ...params, uri } };
      }
      case 'completion/complete':
        return this.#routeCompletion(params);
      default: {
        const { link, taskId } = this.#task(stringParam(params, 'taskId'));
        return { link, method, params: { ...params, taskId } };
      }
    }
  }

  async #routeTool(params: JsonObject): Promise<Routed> {
    const name = stringParam(params, 'name');
    const found = await this.tool(name);
    if (!found) throw invalid((await this.#withheld(name)) ?? unknownTool(name, this.#servers.catalog.tools));
    const { link, item } = found;
    return {
      link,
      method: 'tools/call',
      params: { ...params, name: item.name },
      outputSchema: item.outputSchema,
    };
  }

  /** The reason why a withheld tool cannot be called; undefined for any other tool. */
  async #withheld(name: string): Promise<string | undefined> {
    const { servers, prefixed } = this.#parts;
    for (const server of this.#possibleOf(name)) {
      const withheld = await servers.withheldTools(server).catch(() => []);
      const tool = withheld.find((each) => publicName(server, each, prefixed) === name);
      if (tool !== undefined) return withheldText(server, tool);
    }
    return undefined;
  }

  async #prompt(name: unknown): Promise<Named<'prompts'>> {
    if (typeof name !== 'string') throw invalid('"name" must be a string');
    const found = this.#servers.catalog.prompts.get(name) ?? (await this.#started(name)).prompts.get(name);
    if (found) return found;
    throw invalid(unknownItem('prompt', name, this.#servers.catalog.prompts.keys()));
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
    await this.#servers.settle();
    const { link, uri: own } = this.#servers.catalog.uris.findTemplate(uri) ?? (await this.resource(uri));
    return { link, method, params: { ...params, ref: { ...ref, uri: own } } };
  }

  #task(id: string): { link: ServerLink; taskId: string } {
    const task = this.#parts.taskIds.open(id, this.#client.principal);
    const link = task && this.#servers.links.find(({ name }) => name === task.server);
    if (!link) throw invalid(`Unknown task: "${id}"`);
    return { link, taskId: task.taskId };
  }

  async #send(routed: Routed, connection: ServerConnection, call: ProxyCall): Promise<ProxyResult> {
    const { conversation } = this.#client;
    const identity = this.#identity.at(call.logLevel);
    if (conversation) return sendWithAnswers(connection, routed, call, { identity, conversation });
    if (!this.#logsApart(connection, call)) return send(connection, routed, call, { identity });
    const { link } = routed;
    const own = await link.acquire();
    try {
      return await send(own, routed, call, { identity });
    } finally {
      link.release(own);
    }
  }

  /** Whether log messages on this connection could not be told from those for other calls. */
  #logsApart(connection: ServerConnection, { logLevel }: ProxyCall): boolean {
    return logLevel !== undefined && connection.logs && (connection.shared || this.#identity.anonymous);
  }

  /**
   * Whether the server of a request of 2026-07-28 may ask beside the response, as those
   * of older revisions do.
   */
  #mayBeAsked(method: string, { name }: JsonObject): boolean {
    if (this.#client.conversation || !this.#identity.answers || !asking.has(method)) return false;
    const known =
      method === 'tools/call' && typeof name === 'string' && this.#servers.catalog.tools.get(name);
    return !known || known.link.connection?.stateless !== true;
  }

  /** Sends a request whose server may ask, also while it starts. */
  async #requestHeld(
    method: string,
    params: JsonObject,
    call: ProxyCall,
    held: HeldCall,
  ): Promise<ProxyResult> {
    const { anonymous } = this.#identity;
    // Another client of this name could have started the server.
    if (!anonymous) {
      const names = this.#possible(method, params);
      this.#requests.assign(held, ({ entry }) => names.includes(entry.name));
    }
    const routed = { ...(await this.#route(method, params)), source: this.#sourceOf(method, call) };
    const { link } = routed;
    const primary = await link.open();
    if (!primary.stateless && params['requestState'] !== undefined)
      throw invalid('"requestState" is refused: no call waits for it; send the request again without it');
    // On a connection that is this client's alone, its calls may run together.
    const alone = this.#logsApart(primary, call) || (anonymous && !primary.stateless);
    const connection = alone ? await link.acquire() : primary;
    this.#requests.assign(held, (on) => on === connection && !primary.stateless);
    try {
      const identity = this.#identity.at(call.logLevel);
      const options = { identity, signal: held.signal, carrier: () => held.carrier };
      return this.#withOwnIds(routed, params, await send(connection, routed, call, options));
    } finally {
      if (alone) link.release(connection);
    }
  }

  /** The result with the ids that the client knows. */
  #withOwnIds({ link, method, params }: Routed, asked: JsonObject, answer: ProxyResult): ProxyResult {
    const { result, ...others } = answer;
    const { taskId, contents } = result;
    if (typeof taskId === 'string' && (method.startsWith('tasks/') || result['resultType'] === 'task')) {
      const own = this.#parts.taskIds.seal({ server: link.name, taskId }, this.#client.principal);
      return {
        ...others,
        result: { ...result, taskId: method.startsWith('tasks/') ? asked['taskId'] : own },
      };
    }
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
    const identity = this.#identity.at(undefined);
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
