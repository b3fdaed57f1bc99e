import type { LogMessage } from '@mcp/protocol/client';
import type { JsonObject, ProxyCall, ProxyClient, ProxyResult, ProxySession } from '@mcp/protocol/proxy';
import type { ConfigurationChanges } from '../../servers/servers.ts';
import { CallRouter } from '../calls/call-router.ts';
import { ClientIdentity } from '../links/client-identity.ts';
import { ClientServers } from '../catalog/client-servers.ts';
import { gatewayError, invalid, isObject } from '../gateway-error.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import { joinCapabilities, joinInstructions } from '../catalog/instructions.ts';
import { describedTool, lazyTools, listedTools } from '../catalog/lazy-tools.ts';
import { listPage } from '../catalog/list-page.ts';
import type { ServerConnection, ServerRequest } from '../links/server-connection.ts';
import { ServerRequests } from '../calls/server-requests.ts';

/** The revision in whose form the gateway itself answers. */
const ownVersion = '2025-11-25';

/**
 * One client of a gateway: its own view of the servers, and its own connections to those that keep something.
 */
export class GatewayClient implements ProxySession {
  readonly #parts: GatewayParts;
  readonly #servers: ClientServers;
  readonly #router: CallRouter;
  readonly #requests: ServerRequests;

  readonly #closed: () => void;
  #active = 0;

  /** `closed` is called when the client has gone. */
  constructor(client: ProxyClient, parts: GatewayParts, closed: () => void = () => {}) {
    const identity = new ClientIdentity(client, parts.info);
    const requests = new ServerRequests(identity, client.conversation);
    this.#parts = parts;
    this.#closed = closed;
    this.#requests = requests;
    this.#servers = new ClientServers(parts, client.conversation !== undefined, {
      identity,
      answer: (request: ServerRequest, connection: ServerConnection) => requests.answer(request, connection),
      notify: (method: string, params: JsonObject, connection: ServerConnection) =>
        requests.notify(method, params, connection),
      log: (message: LogMessage, connection: ServerConnection) => requests.log(message, connection),
      warn: parts.warn,
    });
    this.#router = new CallRouter({ client, identity, parts, servers: this.#servers, requests });
  }

  /** True while no request runs and nothing is watched. */
  get idle(): boolean {
    return this.#active === 0 && this.#servers.links.every(({ connection }) => !connection?.calls.size);
  }

  async describe(): Promise<{ capabilities: JsonObject; instructions: string | undefined }> {
    // The client answers nothing before the end of its handshake.
    await this.#servers.settle(false);
    const { links } = this.#servers;
    return {
      capabilities: joinCapabilities(links, this.#parts),
      instructions: joinInstructions(links, this.#parts),
    };
  }

  request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult> {
    const isCall = method === 'tools/call' && !this.#parts.lazy;
    return (isCall && this.#router.callKnown(params, call)) || this.#request(method, params, call);
  }

  async #request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult> {
    this.#active++;
    try {
      return (await this.#own(method, params)) ?? (await this.#router.request(method, params, call));
    } catch (error) {
      throw gatewayError(error);
    } finally {
      this.#active--;
    }
  }

  async inputSchema(name: string): Promise<JsonObject | undefined> {
    if (this.#parts.lazy) return undefined;
    return (await this.#router.tool(name))?.item.inputSchema;
  }

  async watchResource(uri: string, changed: () => void): Promise<() => Promise<void>> {
    const { link, uri: own } = await this.#router.resource(uri);
    const { client, entry } = await link.open();
    try {
      const lost = (error: Error) =>
        this.#parts.warn(`${link.name}: the subscription to "${uri}" is lost: ${error.message}`);
      return this.#watched(await link.subscriptions.add(client, { uri: own, changed, lost }));
    } catch (error) {
      throw gatewayError(error, entry);
    }
  }

  watchList(kind: 'tools' | 'resources' | 'prompts', changed: () => void): Promise<() => void> {
    // The three tools stay the same.
    if (kind === 'tools' && this.#parts.lazy) return Promise.resolve(() => {});
    return Promise.resolve(this.#watched(this.#servers.watch(kind, changed)));
  }

  async watchTasks(taskIds: readonly string[], changed: (task: JsonObject) => void) {
    const { watchable, stop } = await this.#router.watchTasks(taskIds, changed);
    return { watchable, stop: this.#watched(stop) };
  }

  async setLogLevel(level: Parameters<ProxySession['setLogLevel']>[0]): Promise<void> {
    await this.#servers.setLogLevel(level);
  }

  reconfigure(changes: ConfigurationChanges, dropped: Promise<unknown>): void {
    this.#servers.reconfigure(changes, dropped);
  }

  rootsChanged(): void {
    for (const { connection } of this.#servers.links)
      if (connection && !connection.shared) connection.client.rootsChanged();
  }

  async close(): Promise<void> {
    this.#closed();
    this.#requests.close();
    await this.#servers.close();
  }

  /** Counts a watch until it is stopped. */
  #watched<T>(stop: () => T): () => T {
    let watching = true;
    this.#active++;
    return () => {
      if (watching) this.#active--;
      watching = false;
      return stop();
    };
  }

  /** The answer of the gateway itself; undefined for a request that a server answers. */
  async #own(method: string, params: JsonObject): Promise<ProxyResult | undefined> {
    const result = await this.#ownResult(method, params);
    return result && { result, protocolVersion: ownVersion };
  }

  async #ownResult(method: string, params: JsonObject): Promise<JsonObject | undefined> {
    const { lazy } = this.#parts;
    const { cursor } = params;
    switch (method) {
      case 'tools/list': {
        if (lazy) return { tools: lazyTools };
        const { tools } = await this.#servers.refreshed('tools');
        return listPage(
          'tools',
          [...tools].map(([name, { item }]) => [name, { ...item, name }] as const),
          cursor,
        );
      }
      case 'prompts/list': {
        const { prompts } = await this.#servers.refreshed('prompts');
        return listPage(
          'prompts',
          [...prompts].map(([name, { item }]) => [name, { ...item, name }] as const),
          cursor,
        );
      }
      case 'resources/list': {
        const { uris } = await this.#servers.refreshed('resources');
        return listPage(
          'resources',
          uris.resources.map((each) => [each.uri, each] as const),
          cursor,
        );
      }
      case 'resources/templates/list': {
        const { uris } = await this.#servers.refreshed('resourceTemplates');
        return listPage(
          'resourceTemplates',
          uris.templates.map((each) => [each.uriTemplate, each] as const),
          cursor,
        );
      }
      case 'tools/call':
        return lazy ? this.#lazyResult(params) : undefined;
      default:
        return undefined;
    }
  }

  async #lazyResult({ name, arguments: given = {} }: JsonObject): Promise<JsonObject | undefined> {
    if (name === 'call_tool') return undefined;
    if (!isObject(given)) throw invalid('"arguments" must be an object');
    if (name !== 'list_tools' && name !== 'describe_tool')
      throw invalid(`Unknown tool: ${JSON.stringify(name)}`);
    const catalog = await this.#servers.refreshed('tools');
    return name === 'list_tools' ? listedTools(catalog, given) : describedTool(catalog, given);
  }
}
