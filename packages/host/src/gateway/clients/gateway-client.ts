import { isObject } from '@mcp/kit';
import type { JsonObject, ProxyCall, ProxyClient, ProxyResult, ProxySession } from '@mcp/protocol/proxy';
import type { AuditLog } from '../../policy/audit-log.ts';
import type { ConfigurationChanges } from '../../servers/servers.ts';
import { CallRouter } from '../calls/call-router.ts';
import { ClientIdentity, isFrom } from '../links/client-identity.ts';
import { ClientServers } from '../catalog/client-servers.ts';
import { gatewayError, invalid } from '../gateway-error.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { audited, type AuditRequest } from './audited.ts';
import { observed } from './observed.ts';
import { joinCapabilities, joinInstructions } from '../catalog/instructions.ts';
import { describedTool, lazyTools, listedTools } from '../catalog/lazy-tools.ts';
import { listPage } from '../catalog/list-page.ts';
import { ServerRequests } from '../calls/server-requests.ts';

/** The protocol revision of the results that do not come from a server, but from the gateway itself. */
const ownVersion = '2025-11-25';

/** One client of a gateway: its view of the servers, and its own connections to servers that keep state. */
export class GatewayClient implements ProxySession {
  readonly #settings: GatewaySettings;
  readonly #showsViews: boolean;
  readonly #client: ProxyClient;
  readonly #servers: ClientServers;
  readonly #router: CallRouter;
  readonly #requests: ServerRequests;
  readonly #onClose: (() => void) | undefined;
  #active = 0;

  /** `onClose` is called when the client is closed. */
  constructor(
    client: ProxyClient,
    names: readonly string[],
    settings: GatewaySettings,
    onClose: (() => void) | undefined,
  ) {
    const { version, warn, shownLogs } = settings;
    const identity = new ClientIdentity(client, { name: 'mcp', version }, shownLogs?.level);
    const requests = new ServerRequests(identity, client, settings.continued);
    this.#settings = settings;
    this.#showsViews = identity.showsViews && !settings.lazy;
    this.#onClose = onClose;
    this.#requests = requests;
    const policy = settings.policies?.of({ client: nameOfClient(client), principal: client.principal });
    this.#client = client;
    this.#servers = new ClientServers(names, settings, {
      policy,
      wantsLogs: client.conversation !== undefined,
      owner: {
        identity,
        answer: (request, connection) => requests.answer(request, connection),
        notify: (method, params, connection) => requests.notify(method, params, connection),
        log: (message, connection) => {
          if (shownLogs && isFrom(message.level, shownLogs.level))
            shownLogs.show(connection.entry.name, message);
          if (this.#servers.wantsLog(message)) requests.log(message, connection);
        },
        warn,
      },
    });
    this.#router = new CallRouter({ client, identity, settings, servers: this.#servers, requests });
  }

  /** True while no request runs and nothing is watched. */
  get idle(): boolean {
    return this.#active === 0 && this.#servers.links.every(({ connection }) => !connection?.calls.length);
  }

  async describe(): Promise<{ capabilities: JsonObject; instructions: string | undefined }> {
    // Does not wait for a server that has sent the client a request while it starts: the client can answer
    // only after its handshake with the gateway, and this handshake waits for the result of `describe`.
    await this.#servers.waitForStart(false);
    const { links } = this.#servers;
    return {
      capabilities: joinCapabilities(links, { ...this.#settings, showsViews: this.#showsViews }),
      instructions: joinInstructions(links, this.#settings),
    };
  }

  request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult> {
    const isCall = method === 'tools/call' && !this.#settings.lazy;
    const answer = (isCall && this.#router.callKnown(params, call)) || this.#request(method, params, call);
    const { onRequest, audit } = this.#settings;
    const logged = audit ? this.#audited(audit, { method, params }, answer) : answer;
    return onRequest ? observed(logged, method, params, onRequest) : logged;
  }

  #audited(audit: AuditLog, request: AuditRequest, answer: Promise<ProxyResult>): Promise<ProxyResult> {
    const caller = { client: nameOfClient(this.#client), principal: this.#client.principal };
    const calleeOf = (method: string, params: JsonObject) => this.#router.routes.callee(method, params);
    return audited(answer, request, { audit, caller, calleeOf, lazy: this.#settings.lazy });
  }

  async #request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult> {
    this.#active++;
    try {
      const result = await this.#ownResult(method, params, call);
      return result ? { result, revision: ownVersion } : await this.#router.request(method, params, call);
    } catch (error) {
      throw gatewayError(error);
    } finally {
      this.#active--;
    }
  }

  async inputSchema(name: string): Promise<JsonObject | undefined> {
    if (this.#settings.lazy) return undefined;
    return (await this.#router.routes.tool(name))?.shown.inputSchema;
  }

  async watchResource(uri: string, changed: () => void): Promise<() => Promise<void>> {
    const { link, uri: own } = await this.#router.routes.resource(uri);
    const { client, entry } = await link.open();
    try {
      const lost = (error: Error) =>
        this.#settings.warn(`${link.name}: the subscription to "${uri}" is lost: ${error.message}`);
      return this.#watched(await link.subscriptions.add(client, { uri: own, changed, lost }));
    } catch (error) {
      throw gatewayError(error, entry);
    }
  }

  watchList(kind: 'tools' | 'resources' | 'prompts', changed: () => void): Promise<() => void> {
    // With `lazy`, the list has the same three tools at all times, so it never changes.
    if (kind === 'tools' && this.#settings.lazy) return Promise.resolve(() => {});
    return Promise.resolve(this.#watched(this.#servers.watch(kind, changed)));
  }

  async watchTasks(taskIds: readonly string[], changed: (task: JsonObject) => void) {
    const { watchable, stop } = await this.#router.watchTasks(taskIds, changed);
    return { watchable, stop: this.#watched(stop) };
  }

  async setLogLevel(level: Parameters<ProxySession['setLogLevel']>[0]): Promise<void> {
    await this.#servers.setLogLevel(level);
  }

  reconfigure(names: readonly string[], changes: ConfigurationChanges): void {
    this.#servers.reconfigure(names, changes);
  }

  rootsChanged(): void {
    for (const { connection } of this.#servers.links)
      if (connection && !connection.isShared) connection.client.rootsChanged();
  }

  async close(): Promise<void> {
    this.#onClose?.();
    this.#requests.close();
    await this.#servers.close();
  }

  /** Counts a watch as active until the returned function is called. */
  #watched<T>(stop: () => T): () => T {
    let watching = true;
    this.#active++;
    return () => {
      if (watching) this.#active--;
      watching = false;
      return stop();
    };
  }

  /** The result of a request that the gateway answers itself; undefined if a server must answer it. */
  async #ownResult(method: string, params: JsonObject, call: ProxyCall): Promise<JsonObject | undefined> {
    const { lazy } = this.#settings;
    const { cursor } = params;
    switch (method) {
      case 'tools/list':
        if (lazy) return { tools: lazyTools };
        return listPage('tools', (await this.#servers.refreshed('tools')).listedTools, nameOf, cursor);
      case 'prompts/list': {
        const { prompts } = await this.#servers.refreshed('prompts');
        const items = Array.from(prompts, ([name, { item }]) => ({ ...item, name }));
        return listPage('prompts', items, nameOf, cursor);
      }
      case 'resources/list': {
        const { resources } = (await this.#servers.refreshed('resources')).uris;
        return listPage('resources', resources, ({ uri }) => uri, cursor);
      }
      case 'resources/templates/list': {
        const { templates } = (await this.#servers.refreshed('resourceTemplates')).uris;
        return listPage('resourceTemplates', templates, ({ uriTemplate }) => uriTemplate, cursor);
      }
      case 'skills/list':
        await this.#servers.waitForStart();
        return this.#router.routes.skills.list(this.#servers.links, cursor, call.signal);
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

function nameOfClient({ info }: ProxyClient): string | undefined {
  return typeof info?.['name'] === 'string' ? info['name'] : undefined;
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
