import type { ListedResource } from '../define/content.ts';
import { type LogLevel } from '../define/call.ts';
import type { Stop } from '../define/resource.ts';
import type { Channel } from '../jsonrpc/channel.ts';
import { isObject, type Id, type JsonObject, type Notification } from '../jsonrpc/message.ts';
import { Peer } from '../jsonrpc/peer.ts';
import { metaKeys } from '../revisions/meta-keys.ts';
import type { Revision } from '../revisions/revision.ts';
import { type Agreement, agree } from './handshake.ts';
import { askHost, capabilitiesOf, type Host } from './host.ts';
import { type CallOptions, Requests } from './requests.ts';
import type {
  CallToolResult,
  Completion,
  GetPromptResult,
  Implementation,
  ListedPrompt,
  ListedTemplate,
  ListedTool,
  Lists,
  ReadResourceResult,
} from './results.ts';
import { Subscriptions } from './subscriptions.ts';

export interface ClientOptions extends Host {
  readonly name?: string;
  readonly version?: string;
  /** The protocol version to speak; the newest that both sides have unless said otherwise. */
  readonly protocolVersion?: string;
  /** How long to wait for an answer; 60 seconds unless said otherwise. Progress starts the time anew. */
  readonly timeoutMs?: number;
  /** How long a server may take to answer the first question before it counts as an old one. */
  readonly probeTimeoutMs?: number;
  /** Hears log messages of at least this level. */
  readonly logLevel?: LogLevel;
  log?(message: { level: LogLevel; logger?: string; data: unknown }): void;
  /** Hears what came and belongs to nothing. */
  warn?(message: string): void;
  /** The server is gone. */
  closed?(): void;
}

export type ListKind = 'tools' | 'resources' | 'prompts';

const maxRounds = 20;

/** Calls one server and hears its updates, at whichever revision the two agree on. */
export class Client {
  readonly #peer: Peer;
  readonly #options: ClientOptions;
  readonly #info: Implementation;
  readonly #requests: Requests;
  readonly #subscriptions: Subscriptions;
  #agreement: Agreement | undefined;

  private constructor(channel: Channel, options: ClientOptions) {
    this.#options = options;
    this.#info = { name: options.name ?? '@mcp/protocol', version: options.version ?? '0' };
    this.#peer = new Peer(channel, {
      request: ({ method, params }) =>
        method === 'ping' ? Promise.resolve({}) : askHost(options, method, params),
      notification: (notification) => this.#hear(notification),
      closed: () => options.closed?.(),
      warn: (message) => options.warn?.(message),
    });
    this.#requests = new Requests(this.#peer, options.timeoutMs);
    this.#subscriptions = new Subscriptions(this.#peer, (message) => options.warn?.(message));
  }

  /** Agrees with the server at the other end of `channel` on a revision. */
  static async connect(channel: Channel, options: ClientOptions = {}): Promise<Client> {
    const client = new Client(channel, options);
    try {
      client.#agreement = await agree(options.protocolVersion, {
        clientInfo: client.#info,
        capabilities: capabilitiesOf(options),
        probeTimeoutMs: options.probeTimeoutMs ?? 5_000,
        ask: (revision, method, params, timeoutMs) =>
          client.#ask(revision, method, params, timeoutMs === undefined ? {} : { timeoutMs }),
        notify: (method) => client.#peer.notify(method),
      });
      if (options.logLevel && !client.#revision.stateless && client.capabilities['logging']) {
        await client.request('logging/setLevel', { level: options.logLevel });
      }
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  get #revision(): Revision {
    return this.#agreed.revision;
  }

  get #agreed(): Agreement {
    if (!this.#agreement) throw new Error('The client is not connected');
    return this.#agreement;
  }

  get protocolVersion(): string {
    return this.#revision.version;
  }

  /** What the server says it can do. */
  get capabilities(): JsonObject {
    return this.#agreed.capabilities;
  }

  get serverInfo(): Implementation | undefined {
    return this.#agreed.serverInfo;
  }

  get instructions(): string | undefined {
    return this.#agreed.instructions;
  }

  /** All tools, of all pages. */
  async listTools(): Promise<ListedTool[]> {
    return this.#list('tools/list', ({ tools }) => tools);
  }

  async listResources(): Promise<ListedResource[]> {
    return this.#list('resources/list', ({ resources }) => resources);
  }

  async listResourceTemplates(): Promise<ListedTemplate[]> {
    return this.#list('resources/templates/list', ({ resourceTemplates }) => resourceTemplates);
  }

  async listPrompts(): Promise<ListedPrompt[]> {
    return this.#list('prompts/list', ({ prompts }) => prompts);
  }

  /** Calls a tool; what the tool could not do is in the result's `isError`, what the call got wrong is thrown. */
  async callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallToolResult> {
    return (await this.#untilComplete('tools/call', { name, arguments: args }, options)) as CallToolResult;
  }

  async readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    return (await this.#untilComplete('resources/read', { uri }, options)) as ReadResourceResult;
  }

  async getPrompt(
    name: string,
    args: { readonly [name: string]: string } = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    return (await this.#untilComplete('prompts/get', { name, arguments: args }, options)) as GetPromptResult;
  }

  /** Suggestions for an argument of a prompt, or for a variable of a resource template. */
  async complete(
    ref: { readonly prompt: string } | { readonly resource: string },
    argument: { readonly name: string; readonly value: string },
    others: { readonly [name: string]: string } = {},
  ): Promise<Completion> {
    const result = await this.request('completion/complete', {
      ref:
        'prompt' in ref
          ? { type: 'ref/prompt', name: ref.prompt }
          : { type: 'ref/resource', uri: ref.resource },
      argument,
      ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
    });
    return result['completion'] as Completion;
  }

  async ping(): Promise<void> {
    await this.request('ping');
  }

  /** Calls `updated` after each change of a resource, until stopped. */
  async subscribe(uri: string, updated: () => void): Promise<Stop> {
    if (this.#revision.stateless) {
      const { honoured, stop } = await this.#listen({ resourceSubscriptions: [uri] }, updated);
      if ((honoured['resourceSubscriptions'] as readonly string[] | undefined)?.includes(uri)) return stop;
      await stop();
      throw new Error(`The server cannot tell of changes of this: "${uri}"`);
    }
    const first = !this.#subscriptions.has(uri);
    const stop = this.#subscriptions.whenUpdated(uri, updated);
    try {
      if (first) await this.request('resources/subscribe', { uri });
    } catch (error) {
      stop();
      throw error;
    }
    return async () => {
      stop();
      if (!this.#subscriptions.has(uri)) await this.request('resources/unsubscribe', { uri });
    };
  }

  /** Calls `changed` after each change of a list, until stopped. */
  async watchList(kind: ListKind, changed: () => void): Promise<Stop> {
    if (!this.#revision.stateless) return this.#subscriptions.whenListChanged(kind, changed);
    return (await this.#listen({ [`${kind}ListChanged`]: true }, changed)).stop;
  }

  /** Sends any request and gives its result as it came. */
  request(method: string, params: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    return this.#ask(this.#revision, method, params, options);
  }

  notify(method: string, params?: JsonObject): void {
    this.#peer.notify(method, params);
  }

  async close(): Promise<void> {
    await this.#peer.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #list<M extends keyof Lists, Item>(
    method: M,
    items: (page: Lists[M]) => readonly Item[],
  ): Promise<Item[]> {
    const all: Item[] = [];
    let cursor: unknown;
    do {
      const page = await this.request(method, cursor === undefined ? {} : { cursor });
      all.push(...items(page as Lists[M]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return all;
  }

  /** Answers the server's questions until there is a result. */
  async #untilComplete(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject> {
    let result = await this.request(method, params, options);
    for (let round = 0; result['resultType'] === 'input_required'; round++) {
      if (round === maxRounds) throw new Error(`${method} asked for input ${maxRounds} times without an end`);
      const { inputRequests = {}, requestState } = result as {
        inputRequests?: { [key: string]: { method: string; params?: JsonObject } };
        requestState?: string;
      };
      const answers = Object.entries(inputRequests).map(
        async ([key, question]) =>
          [key, await askHost(this.#options, question.method, question.params)] as const,
      );
      result = await this.request(
        method,
        {
          ...params,
          ...(answers.length > 0 && { inputResponses: Object.fromEntries(await Promise.all(answers)) }),
          ...(requestState !== undefined && { requestState }),
        },
        options,
      );
    }
    return result;
  }

  #ask(revision: Revision, method: string, params: JsonObject, options: CallOptions): Promise<JsonObject> {
    const withMeta = (id: Id) => ({
      ...params,
      ...this.#metaFor(revision, params['_meta'], options.progress && id),
    });
    return this.#requests.ask(method, withMeta, options);
  }

  #metaFor(revision: Revision, given: unknown, progressToken: Id | undefined): { _meta?: JsonObject } {
    const meta: JsonObject = {
      ...(isObject(given) && given),
      ...(progressToken !== undefined && { progressToken }),
    };
    if (revision.stateless) {
      meta[metaKeys.protocolVersion] = revision.version;
      meta[metaKeys.clientInfo] = this.#info;
      meta[metaKeys.clientCapabilities] = capabilitiesOf(this.#options);
      if (this.#options.logLevel) meta[metaKeys.logLevel] = this.#options.logLevel;
    }
    return Object.keys(meta).length > 0 ? { _meta: meta } : {};
  }

  #listen(filter: JsonObject, heard: () => void) {
    const params = { notifications: filter, ...this.#metaFor(this.#revision, undefined, undefined) };
    return this.#subscriptions.listen(params, heard);
  }

  #hear(notification: Notification): void {
    const { method, params = {} } = notification;
    if (method === 'notifications/progress') return this.#requests.progressed(params);
    if (method === 'notifications/message') {
      return this.#options.log?.(params as { level: LogLevel; data: unknown });
    }
    this.#subscriptions.hear(notification);
  }
}
