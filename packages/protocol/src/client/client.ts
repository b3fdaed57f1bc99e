import type { LogLevel } from '../define/call.ts';
import type { ListedResource } from '../define/content.ts';
import type { Stop } from '../define/resource.ts';
import type { Channel, Connector } from '../jsonrpc/channel.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { Caller } from './calls/caller.ts';
import type { ClientOptions } from './client-options.ts';
import { Lists } from './lists/lists.ts';
import type { CallOptions } from './requests/call-options.ts';
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
import type { ListKind } from './subscriptions/topic.ts';
import { TaskClient } from './tasks/task-client.ts';
import { ToolCalls } from './tool-calls/tool-calls.ts';

/** Options of {@link Client.subscribe} and {@link Client.watchList}. */
export interface SubscribeOptions {
  /** Called once when the subscription has ended for good, with the reason; defaults to a warning. */
  lost?(error: Error): void;
}

/**
 * Calls one server and receives its notifications, at the revision that both sides agree on.
 * With a {@link Connector}, the client connects again after a connection has ended: with the next request,
 * or immediately if it has subscriptions. Methods reject with a {@link ClientError}, or after an abort with
 * the reason of the signal.
 */
export class Client {
  /** The tasks of the server, for hosts that keep the ids of tasks. */
  readonly tasks: TaskClient;
  readonly #caller: Caller;
  readonly #lists: Lists;
  readonly #tools: ToolCalls;

  private constructor(caller: Caller, options: ClientOptions) {
    this.#caller = caller;
    this.#lists = new Lists(caller, options.maxPages, (message) => caller.warn(message));
    this.#tools = new ToolCalls(caller, this.#lists);
    this.tasks = new TaskClient(caller);
  }

  /** Connects to a server: by a connector, or over a channel, which is used once. */
  static async connect(server: Connector | Channel, options: ClientOptions = {}): Promise<Client> {
    const caller = new Caller(server, options);
    const connected = caller.connect();
    // Made while the server starts.
    const client = new Client(caller, options);
    await connected;
    return client;
  }

  /** The protocol version of the last connection. */
  get protocolVersion(): string {
    return this.#caller.agreement.revision.version;
  }

  /** The capabilities that the server declares. */
  get capabilities(): JsonObject {
    return this.#caller.agreement.capabilities;
  }

  /** The name and the version of the server, as it sent them; not verified. */
  get serverInfo(): Implementation | undefined {
    return this.#caller.agreement.serverInfo;
  }

  /** The server's instructions for models. */
  get instructions(): string | undefined {
    return this.#caller.agreement.instructions;
  }

  /**
   * Returns the tools of all pages; over HTTP without those whose `x-mcp-header` is invalid. Cached for
   * `ttlMs`.
   */
  listTools(options?: CallOptions): Promise<ListedTool[]> {
    return this.#lists.tools.all(options);
  }

  /** Iterates over the pages of tools, in their order; does not use the cache. */
  toolPages(options?: CallOptions): AsyncIterable<readonly ListedTool[]> {
    return this.#lists.tools.pages(options);
  }

  listResources(options?: CallOptions): Promise<ListedResource[]> {
    return this.#lists.resources.all(options);
  }

  resourcePages(options?: CallOptions): AsyncIterable<readonly ListedResource[]> {
    return this.#lists.resources.pages(options);
  }

  listResourceTemplates(options?: CallOptions): Promise<ListedTemplate[]> {
    return this.#lists.templates.all(options);
  }

  resourceTemplatePages(options?: CallOptions): AsyncIterable<readonly ListedTemplate[]> {
    return this.#lists.templates.pages(options);
  }

  listPrompts(options?: CallOptions): Promise<ListedPrompt[]> {
    return this.#lists.prompts.all(options);
  }

  promptPages(options?: CallOptions): AsyncIterable<readonly ListedPrompt[]> {
    return this.#lists.prompts.pages(options);
  }

  /**
   * Calls a tool. A failure of the tool is a result with `isError`; an unknown tool rejects. Where the tool
   * was listed with an `outputSchema`, the structured content is validated against it. If the call becomes a
   * task, the client polls it and returns its result.
   */
  callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallToolResult> {
    return this.#tools.call(name, args, options);
  }

  async readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    return this.#caller.checked('resources/read', { uri }, options);
  }

  async getPrompt(
    name: string,
    args: { readonly [name: string]: string } = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    return this.#caller.checked('prompts/get', { name, arguments: args }, options);
  }

  /** Returns suggestions for an argument of a prompt, or for a variable of a resource template. */
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
    return (await this.#caller.checked('completion/complete', params, options)).completion;
  }

  /** Sends a ping; rejects at 2026-07-28, which has no ping. */
  async ping(options: CallOptions = {}): Promise<void> {
    await this.request('ping', {}, options);
  }

  /**
   * Calls `updated` after each change of a resource, until the returned function is called; also after a lost
   * connection was opened again, as changes may have been missed. Rejects if the server does not accept the
   * subscription.
   */
  subscribe(uri: string, updated: () => void, options: SubscribeOptions = {}): Promise<Stop> {
    return this.#caller.subscribe({ uri }, updated, options);
  }

  /** Calls `changed` after each change of a list, as {@link subscribe} does for a resource. */
  watchList(kind: ListKind, changed: () => void, options: SubscribeOptions = {}): Promise<Stop> {
    return this.#caller.subscribe({ kind }, changed, options);
  }

  /** Requests log messages of at least `level` from now on. */
  setLogLevel(level: LogLevel): Promise<void> {
    return this.#caller.setLogLevel(level);
  }

  /**
   * Notifies the server that the host's roots have changed; does nothing at 2026-07-28, where a call requests
   * them.
   */
  rootsChanged(): void {
    if (!this.#caller.agreement.revision.stateless) this.notify('notifications/roots/list_changed');
  }

  /** Sends any request and returns its result, which is not checked. */
  request(method: string, params: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    return this.#caller.send(method, params, options);
  }

  /**
   * Forwards a request of another client and returns the result as the server sent it: not validated, and
   * possibly one that requires input or names a task.
   */
  forward(method: string, params: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    if (method === 'tools/call') return this.#tools.forward(params, options);
    return this.#caller.send(method, params, options);
  }

  /** Sends any notification; without a connection it is dropped. */
  notify(method: string, params?: JsonObject): void {
    this.#caller.notify(method, params);
  }

  /** Closes the connection, and ends the server where it is a process; bounded in time. */
  close(): Promise<void> {
    return this.#caller.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
