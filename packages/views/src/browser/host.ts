import type { Content } from '@mcp/protocol';
import type { CallToolResult, ReadResourceResult } from '@mcp/protocol/client';
import { Conversation, HostError } from './conversation.ts';
import type { DisplayMode, HostContext } from './host-context.ts';
import { type JsonObject, objectOf } from '../model/json-object.ts';
import { Page } from './page.ts';
import type { ViewOptions } from './view-options.ts';
import type { ViewWindow } from './view-window.ts';

export type RequestOptions = { readonly signal?: AbortSignal };

/** Text, or blocks of content. */
export type MessageContent = string | readonly Content[];

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

const protocolVersion = '2026-01-26';

/** A host may add parts to its context, but not without end. */
const maxContextParts = 100;

/**
 * The host of a view, as `connectView` returns it. Each request rejects with a `HostError` if the host
 * refuses it, and with the reason of its signal.
 */
export class Host {
  readonly #options: ViewOptions;
  readonly #window: ViewWindow;
  readonly #page: Page;
  readonly #conversation: Conversation;
  /** The current context: see `onContext`. */
  context: HostContext = {};
  /** The name and version of the host, as it gives them. */
  info: JsonObject = {};
  /** What the host can do, such as `{ serverTools: {}, openLinks: {} }`. */
  capabilities: JsonObject = {};
  #teardown: Promise<JsonObject> | undefined;

  private constructor(options: ViewOptions, window: ViewWindow) {
    this.#options = options;
    this.#window = window;
    this.#page = new Page(window);
    this.#conversation = new Conversation(window, {
      answer: (method, params) => this.#answer(method, params),
      notified: (method, params) => this.#safely(() => this.#notified(method, params)),
    });
  }

  static async connect(options: ViewOptions): Promise<Host> {
    const { name, version, displayModes = ['inline'], tools, signal } = options;
    const window = options.window ?? (globalThis as unknown as ViewWindow);
    if (!window.parent || (window.parent as unknown) === window)
      throw new HostError('The view is not in the frame of a host');
    const host = new Host(options, window);
    const appCapabilities = { availableDisplayModes: displayModes, ...(tools && { tools: {} }) };
    const params = { appInfo: { name, version }, appCapabilities, protocolVersion };
    try {
      host.#begin(await host.#request('ui/initialize', params, { signal }));
      return host;
    } catch (error) {
      host.close();
      throw error;
    }
  }

  /** Calls a tool of the server that the view is from. A result with `isError` is a result. */
  async callTool(name: string, args: JsonObject = {}, options?: RequestOptions): Promise<CallToolResult> {
    const result = await this.#request('tools/call', { name, arguments: args }, options);
    return withArray(result, 'content') as CallToolResult;
  }

  /** Reads a resource of the server that the view is from. */
  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    const result = await this.#request('resources/read', { uri }, options);
    return withArray(result, 'contents') as ReadResourceResult;
  }

  /** Adds a message of the user to the conversation; the model answers it. */
  sendMessage(content: MessageContent, options?: RequestOptions): Promise<void> {
    return this.#ask('message', { role: 'user', content: blocksOf(content) }, options);
  }

  /** Tells the model the state of the view from its next turn on. Replaces what the view told before. */
  updateModelContext(
    { content, structuredContent }: { content?: MessageContent; structuredContent?: JsonObject },
    options?: RequestOptions,
  ): Promise<void> {
    const blocks = content === undefined ? {} : { content: blocksOf(content) };
    const structured = structuredContent && { structuredContent };
    return this.#ask('update-model-context', { ...blocks, ...structured }, options);
  }

  /** Opens a page in the browser of the user, who may be asked. */
  openLink(url: string | URL, options?: RequestOptions): Promise<void> {
    return this.#ask('open-link', { url: String(url) }, options);
  }

  /** Lets the user save files: embedded resources, and links that the host reads. */
  downloadFile(contents: readonly Content[], options?: RequestOptions): Promise<void> {
    return this.#ask('download-file', { contents }, options);
  }

  /**
   * Asks for another display mode, and returns the mode that the view then has. A mode that the host does not
   * have is not asked for.
   */
  async requestDisplayMode(wanted: DisplayMode, options?: RequestOptions): Promise<DisplayMode> {
    const { displayMode = 'inline', availableDisplayModes } = this.context;
    if (!Array.isArray(availableDisplayModes) || !availableDisplayModes.includes(wanted)) return displayMode;
    const { mode } = await this.#request('ui/request-display-mode', { mode: wanted }, options);
    return mode as DisplayMode;
  }

  /** Writes to the log of the host. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#conversation.notify('notifications/message', { level, data, ...(logger && { logger }) });
  }

  /** Reports a size in CSS pixels, for a view with `reportsSize: false`. */
  reportSize(size: { readonly width?: number; readonly height?: number }): void {
    this.#notify('size-changed', size);
  }

  /** Asks the host to remove the view. If it agrees, it calls `onTeardown`. */
  requestTeardown(): void {
    this.#notify('request-teardown', {});
  }

  /** Ends the connection: nothing more is sent or received. */
  close(): void {
    this.#page.close();
    this.#conversation.close();
  }

  #request(method: string, params: JsonObject, { signal }: { signal?: AbortSignal | undefined } = {}) {
    return this.#conversation.request(method, params, signal);
  }

  async #ask(method: string, params: JsonObject, options?: RequestOptions): Promise<void> {
    const { isError } = await this.#request(`ui/${method}`, params, options);
    if (isError) throw new HostError(`The host refused "ui/${method}"`);
  }

  #notify(name: string, params: JsonObject): void {
    this.#conversation.notify(`ui/notifications/${name}`, params);
  }

  #begin({ hostInfo, hostCapabilities, hostContext }: JsonObject): void {
    this.info = objectOf(hostInfo);
    this.capabilities = objectOf(hostCapabilities);
    this.#safely(() => this.#change(objectOf(hostContext)));
    this.#notify('initialized', {});
    if (this.#options.reportsSize === false) return;
    this.#page.measure(
      () => this.context,
      (size) => this.reportSize(size),
    );
  }

  #answer(method: string, params: JsonObject): JsonObject | Promise<JsonObject> | undefined {
    if (method === 'ping') return {};
    if (method === 'ui/resource-teardown') return (this.#teardown ??= this.#end());
    return this.#options.tools?.(method, params);
  }

  async #end(): Promise<JsonObject> {
    await this.#options.onTeardown?.();
    return {};
  }

  #notified(method: string, params: JsonObject): void {
    const { onInput, onPartialInput, onResult, onCancelled, onNotification } = this.#options;
    const [, name] = method.split('ui/notifications/');
    const { arguments: args, content, reason } = params;
    if (name === 'tool-input') onInput?.(objectOf(args));
    else if (name === 'tool-input-partial') onPartialInput?.(objectOf(args));
    else if (name === 'tool-result') {
      if (Array.isArray(content)) onResult?.(params as CallToolResult);
    } else if (name === 'tool-cancelled') onCancelled?.(typeof reason === 'string' ? reason : undefined);
    else if (name === 'host-context-changed') this.#change(params);
    else onNotification?.(method, params);
  }

  #change(changed: HostContext): void {
    const { appliesStyles, onContext } = this.#options;
    const parts = Object.entries({ ...this.context, ...changed });
    this.context = Object.fromEntries(parts.slice(0, maxContextParts));
    if (appliesStyles !== false) this.#page.apply(this.context);
    onContext?.(this.context, changed);
  }

  /** Runs a function of the author: its error must not keep the next message from being handled. */
  #safely(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#window.reportError(error);
    }
  }
}

function withArray(result: JsonObject, name: string): JsonObject {
  if (Array.isArray(result[name])) return result;
  throw new HostError(`The result has no "${name}"`);
}

function blocksOf(content: MessageContent): readonly Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
