import { isObject } from '@mcp/kit';
import type { JsonObject, ProxyCall, ProxyClient } from '@mcp/protocol/proxy';
import type { AuditedRequest } from '../../policy/audit-log.ts';
import type { ToolPolicy } from '../../policy/tool-policy.ts';
import type { Named } from '../catalog/catalog.ts';
import type { ClientServers } from '../catalog/client-servers.ts';
import { calledTool, unknownItem, unknownTool } from '../catalog/lazy-tools.ts';
import { publicName, serversOfName } from '../catalog/public-names.ts';
import { SkillRoutes } from '../catalog/skill-routes.ts';
import { viewUriOf } from '../../view-of-tool.ts';
import { mayCall } from '../catalog/view-uris.ts';
import type { UriRoute } from '../catalog/uri-routes.ts';
import { invalid } from '../gateway-error.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { ClientIdentity } from '../links/client-identity.ts';
import type { ServerLink } from '../links/server-link.ts';
import { withheldText } from '../../servers/withheld-text.ts';
import type { Outgoing } from './send.ts';

/** A request, and the server that answers it. */
export interface Routed extends Outgoing {
  readonly link: ServerLink;
  /** The rules for the tool that is called. */
  readonly policy?: ToolPolicy | undefined;
  /** The rules that limit the result of the task that is asked for. */
  readonly taskPolicy?: ToolPolicy | undefined;
}

/** What the audit says of the server of a request. */
export interface Callee extends Pick<AuditedRequest, 'server' | 'view'> {
  /** Whether a policy hides the tool that is called. */
  readonly isHidden?: boolean;
}

export interface RequestRoutesOptions {
  readonly client: ProxyClient;
  readonly identity: ClientIdentity;
  readonly settings: GatewaySettings;
  readonly servers: ClientServers;
}

/** Finds the server of each request of one client, by the tool, prompt, URI or task in the request. */
export class RequestRoutes {
  readonly skills: SkillRoutes;
  readonly #options: RequestRoutesOptions;

  constructor(options: RequestRoutesOptions) {
    this.#options = options;
    this.skills = new SkillRoutes(options.identity, options.settings.warn);
  }

  /** The server of a request; undefined for a method that the gateway does not know. */
  async route(method: string, params: JsonObject, call: ProxyCall): Promise<Routed | undefined> {
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
        const { link, taskId, policy } = this.task(stringParam(params, 'taskId'));
        return { link, method, params: { ...params, taskId }, taskPolicy: policy };
      }
      case 'skills/get':
      case 'resources/directory/read': {
        const { link, uri } = await this.resource(stringParam(params, 'uri'), call.signal);
        return { link, method, params: { ...params, uri } };
      }
      default:
        return undefined;
    }
  }

  /** Finds the tool with this public name, also on servers that must be started first. */
  async tool(name: string): Promise<Named<'tools'> | undefined> {
    return this.#options.servers.catalog.tools.get(name) ?? (await this.#started(name)).tools.get(name);
  }

  /** The server of a URI, and the URI as that server knows it; throws an `RpcError` if no server has it. */
  async resource(uri: string, signal?: AbortSignal): Promise<UriRoute> {
    const { settings } = this.#options;
    const found = await this.#routeOf(uri, signal);
    if (found && settings.servedTools) {
      const { client } = await found.link.open();
      if (!settings.servedTools.serves(found.link.name, client.serverInfo?.name)) throw this.#unlisted(uri);
    }
    if (found) return found;
    throw this.#unlisted(uri);
  }

  async #routeOf(uri: string, signal: AbortSignal | undefined): Promise<UriRoute | undefined> {
    const { servers } = this.#options;
    const isSkill = uri.startsWith('skill://');
    const known = isSkill ? undefined : servers.catalog.uris.find(uri);
    if (known) return known;
    await servers.waitForStart();
    return (
      (isSkill ? await this.skills.find(servers.links, uri, signal) : undefined) ??
      servers.catalog.uris.find(uri)
    );
  }

  #unlisted(uri: string): Error {
    const names =
      this.#options.servers.names.length > 1
        ? '; a URI that names its server has the form mcp://<server>/<uri>'
        : '';
    return invalid(`No server lists the resource "${uri}"${names}`, { uri });
  }

  /** The server of a task, its id there, and the rules for its tool. Throws for an unknown task. */
  task(id: string): { link: ServerLink; taskId: string; policy: ToolPolicy | undefined } {
    const { client, servers, settings } = this.#options;
    const task = settings.taskIds.open(id, client.principal);
    const link = task && servers.links.find(({ name }) => name === task.server);
    if (!link) throw invalid(`Unknown task: "${id}"`);
    const { taskId, tool } = task;
    return { link, taskId, policy: tool === undefined ? undefined : servers.catalog.policyOf(link, tool) };
  }

  /**
   * The server of a request as the lists are now, whether the request is one that only a view makes, and
   * whether a policy hides its tool.
   */
  callee(method: string, { name, uri }: JsonObject): Callee {
    const { tools, prompts, uris } = this.#options.servers.catalog;
    const of = (server: string | undefined, isOfView = false) => ({ server, view: isOfView || undefined });
    if (typeof uri === 'string') return of(uris.find(uri)?.link.name);
    if (typeof name !== 'string') return of(undefined);
    if (method !== 'tools/call') return of(prompts.get(name)?.link.name);
    const known = tools.get(name);
    const [only, ...more] = known ? [known] : this.#toolsOfViews(name);
    if (!only) return { ...of(this.#hiding(name)), isHidden: this.#hiding(name) !== undefined };
    if (more.length > 0) return of(undefined);
    return of(only.link.name, !known || !mayCall('model', only.item));
  }

  /** The server of a tool that a policy hides, by the name that clients would have for it. */
  #hiding(name: string): string | undefined {
    const { servers, settings } = this.#options;
    const hides = (link: ServerLink) =>
      link.lists.tools.some((tool) => {
        const rules = servers.catalog.policyOf(link, tool.name);
        const names = [tool.name, rules?.name ?? tool.name];
        return (
          rules?.isHidden && names.some((each) => publicName(link.name, each, settings.prefixed) === name)
        );
      });
    return servers.links.find(hides)?.name;
  }

  /** The servers that may have the tool, prompt or resource that a request names. */
  possible(method: string, params: JsonObject): readonly string[] {
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

  async #routeTool(params: JsonObject): Promise<Routed> {
    const name = stringParam(params, 'name');
    const found = (await this.tool(name)) ?? (await this.#calledByView(name));
    if (!found)
      throw invalid((await this.#withheld(name)) ?? unknownTool(name, this.#options.servers.catalog.tools));
    const { link, item, policy } = found;
    return {
      link,
      policy,
      method: 'tools/call',
      params: { ...params, name: item.name },
      outputSchema: item.outputSchema,
    };
  }

  /**
   * The tool that a view calls: a view knows the tools of its server by their own names. Undefined if the
   * client shows no views. Throws an `RpcError` if several servers with views have a tool of this name: a
   * call does not say from which view it comes.
   */
  async #calledByView(name: string): Promise<Named<'tools'> | undefined> {
    const { identity, servers, settings } = this.#options;
    if (!identity.showsViews || settings.lazy) return undefined;
    await servers.waitForStart();
    const having = this.#toolsOfViews(name);
    if (having.length < 2) return having[0];
    const names = having.map(({ link }) => `"${publicName(link.name, name, settings.prefixed)}"`);
    throw invalid(
      `Several servers have views and a tool "${name}": call ${names.join(' or ')}, so that it is clear which one is meant`,
    );
  }

  /** The tools that a view may mean by this name, which is that of its server. */
  #toolsOfViews(name: string): readonly Named<'tools'>[] {
    const { identity, servers, settings } = this.#options;
    if (!identity.showsViews || settings.lazy) return [];
    return servers.links.flatMap((link) => {
      if (!link.lists.tools.some((tool) => viewUriOf(tool) !== undefined)) return [];
      const item = link.lists.tools.find((tool) => tool.name === name && mayCall('app', tool));
      const named = item && servers.catalog.withPolicy(link, item);
      return named ? [named] : [];
    });
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
}

function stringParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw invalid(`"${name}" must be a string`);
}
