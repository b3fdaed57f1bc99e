import type { LogLevel } from '../define/call.ts';
import type { ListedResource } from '../define/content.ts';
import type { Extension, ExtensionMethod } from '../define/extension.ts';
import type { Stop } from '../define/resource.ts';
import type { Channel, Connector } from '../jsonrpc/channel.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { In, Out } from '../schema/schema.ts';
import { callExtension } from './calls/call-extension.ts';
import { Requester } from './requester.ts';
import type { ClientOptions, SubscribeOptions } from './client-options.ts';
import { Lists } from './lists/lists.ts';
import type { CallOptions } from './call-options.ts';
import type {
  CallToolResult,
  Completion,
  GetPromptResult,
  Implementation,
  ListedPrompt,
  ListedTemplate,
  ListedTool,
  ReadResourceResult,
} from './results/results.ts';
import type { ListKind } from '../define/live-list.ts';
import { TaskClient } from './calls/task-client.ts';
import { ToolCalls } from './calls/tool-calls.ts';

/**
 * Calls one server and receives its notifications, in the revision that both sides agree on. With a {@link
 * Connector}, the client connects again when a connection has ended: with the next request, or at once if it
 * has subscriptions. Methods reject with a {@link ClientError}, or with the reason of an aborted signal.
 */
export class Client {
  /** The tasks of the server, for hosts that keep the ids of tasks. */
  readonly tasks: TaskClient;
  readonly #requester: Requester;
  readonly #lists: Lists;
  readonly #tools: ToolCalls;

  private constructor(requester: Requester, options: ClientOptions) {
    this.#requester = requester;
    this.#lists = new Lists(requester, options.maxPages, (message) => requester.warn(message));
    this.#tools = new ToolCalls(requester, this.#lists);
    this.tasks = new TaskClient(requester);
  }

  /** Connects to a server. After a connection has ended, a connector can open another; a channel cannot. */
  static async connect(server: Connector | Channel, options: ClientOptions = {}): Promise<Client> {
    const requester = new Requester(server, options);
    const connected = requester.connect(options.signal);
    // The client is made while the server is still starting, which saves time.
    const client = new Client(requester, options);
    await connected;
    return client;
  }

  /** The revision of the current connection or, if it has ended, of the last one, such as `2026-07-28`. */
  get revision(): string {
    return this.#requester.agreement.revision.version;
  }

  /** The capabilities that the server declares. */
  get capabilities(): JsonObject {
    return this.#requester.agreement.capabilities;
  }

  /**
   * The capabilities that the client declares to the server, in the revision of the current or last
   * connection.
   */
  get declaredCapabilities(): JsonObject {
    return this.#requester.declaredCapabilities;
  }

  /** The name and the version of the server, as it sent them; not verified. */
  get serverInfo(): Implementation | undefined {
    return this.#requester.agreement.serverInfo;
  }

  /** The server's instructions for models. */
  get instructions(): string | undefined {
    return this.#requester.agreement.instructions;
  }

  /**
   * Returns the tools of all pages. Over HTTP, the list omits the tools whose `x-mcp-header` is invalid. The
   * list is cached for the `ttlMs` that the server sends.
   */
  listTools(options?: CallOptions): Promise<ListedTool[]> {
    return this.#lists.tools.all(options);
  }

  /** Iterates over the pages of tools, in their order; does not use the cache. */
  toolPages(options?: CallOptions): AsyncIterable<readonly ListedTool[]> {
    return this.#lists.tools.pages(options);
  }

  /** Returns the listed resources of all pages. The list is cached for the `ttlMs` that the server sends. */
  listResources(options?: CallOptions): Promise<ListedResource[]> {
    return this.#lists.resources.all(options);
  }

  /** Iterates over the pages of resources; does not use the cache. */
  resourcePages(options?: CallOptions): AsyncIterable<readonly ListedResource[]> {
    return this.#lists.resources.pages(options);
  }

  /** Returns the resource templates of all pages. The list is cached for the server's `ttlMs`. */
  listResourceTemplates(options?: CallOptions): Promise<ListedTemplate[]> {
    return this.#lists.templates.all(options);
  }

  /** Iterates over the pages of resource templates; does not use the cache. */
  resourceTemplatePages(options?: CallOptions): AsyncIterable<readonly ListedTemplate[]> {
    return this.#lists.templates.pages(options);
  }

  /** Returns the prompts of all pages. The list is cached for the `ttlMs` that the server sends. */
  listPrompts(options?: CallOptions): Promise<ListedPrompt[]> {
    return this.#lists.prompts.all(options);
  }

  /** Iterates over the pages of prompts; does not use the cache. */
  promptPages(options?: CallOptions): AsyncIterable<readonly ListedPrompt[]> {
    return this.#lists.prompts.pages(options);
  }

  /**
   * Calls a tool. A failure of the tool is a result with `isError`; an unknown tool rejects. If the tool was
   * listed with an `outputSchema`, the structured content is validated against this schema. If the call
   * becomes a task, the client polls the task and returns its result.
   */
  callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallToolResult> {
    return this.#tools.call(name, args, options);
  }

  /** Reads a resource. The result may have several contents, such as the files of a directory. */
  async readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    return this.#requester.checked('resources/read', { uri }, options);
  }

  /** Returns the messages of a prompt, filled in with `args`. The value of each argument is a string. */
  async getPrompt(
    name: string,
    args: { readonly [name: string]: string } = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    return this.#requester.checked('prompts/get', { name, arguments: args }, options);
  }

  /**
   * Returns suggestions for an argument of a prompt, or for a variable of a resource template. `others` are
   * the values of the other arguments or variables that are already known.
   */
  async complete(
    ref: { readonly prompt: string } | { readonly resource: string },
    argument: { readonly name: string; readonly value: string },
    others: { readonly [name: string]: string } = {},
    options: CallOptions = {},
  ): Promise<Completion> {
    const params = {
      ref:
        'prompt' in ref
          ? { type: 'ref/prompt', name: ref.prompt }
          : { type: 'ref/resource', uri: ref.resource },
      argument,
      ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
    };
    return (await this.#requester.checked('completion/complete', params, options)).completion;
  }

  /** Sends a ping; rejects in revision 2026-07-28, which has no ping. */
  async ping(options: CallOptions = {}): Promise<void> {
    await this.request('ping', {}, options);
  }

  /**
   * Calls `updated` after each change of a resource, until the returned function is called. Also calls it
   * when a lost connection was opened again, because changes may have been missed. Rejects if the server
   * refuses the subscription.
   */
  subscribe(uri: string, updated: () => void, options: SubscribeOptions = {}): Promise<Stop> {
    return this.#requester.subscribe({ uri }, updated, options);
  }

  /** Calls `changed` after each change of a list, as {@link subscribe} does for a resource. */
  watchList(kind: ListKind, changed: () => void, options: SubscribeOptions = {}): Promise<Stop> {
    return this.#requester.subscribe({ kind }, changed, options);
  }

  /** Requests log messages of at least `level` from now on. */
  setLogLevel(level: LogLevel): Promise<void> {
    return this.#requester.setLogLevel(level);
  }

  /**
   * Notifies the server that the roots have changed. Does nothing in revision 2026-07-28, in which a server
   * requests the roots anew in each call that needs them.
   */
  rootsChanged(): void {
    if (!this.#requester.agreement.revision.stateless) this.notify('notifications/roots/list_changed');
  }

  /**
   * Sends a request of an extension, and returns its checked result. The client declares the extension in its
   * option `extensions`. The `_meta` of the result is there if the schema of the result has it. Rejects, and
   * sends nothing, if the server does not declare the extension.
   */
  callExtension<M extends { readonly [method: string]: ExtensionMethod }, Name extends string & keyof M>(
    extension: Extension<M>,
    method: Name,
    params: In<M[Name]['params']>,
    options: CallOptions = {},
  ): Promise<Out<M[Name]['result']>> {
    return callExtension(this.#requester, { extension, method, params }, options);
  }

  /** Sends any request and returns its result, which is not checked. */
  request(method: string, params: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    return this.#requester.send(method, params, options);
  }

  /**
   * Forwards another client's request. Returns the result unchecked: it may also be a result that requires
   * input, or one that has the id of a task.
   */
  forward(method: string, params: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    if (method === 'tools/call') return this.#tools.forward(params, options);
    return this.#requester.send(method, params, options);
  }

  /** Sends any notification. Without a connection, the notification is dropped. */
  notify(method: string, params?: JsonObject): void {
    this.#requester.notify(method, params);
  }

  /**
   * Closes the connection, and ends the server if it is a process; a process that does not end in time is
   * killed.
   */
  close(): Promise<void> {
    return this.#requester.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
