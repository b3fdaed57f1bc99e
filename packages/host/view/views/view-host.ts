import {
  Conversation,
  type DisplayMode,
  type HostContext,
  type JsonObject,
  type MessageWindow,
} from '@mcp/views/browser';
import { isObject } from '../schema.ts';
import { Lanes } from './lanes.ts';

/** The revision of the conversation with views. */
const protocolVersion = '2026-01-26';

/** How long a view may take to end, in milliseconds. */
const teardownMs = 500;

/** What the page does for a view. */
export interface ViewActions {
  readonly version: string;
  context(): HostContext;
  /** Called when the view has introduced itself. */
  introduced(view: { readonly info: JsonObject; readonly displayModes: readonly DisplayMode[] }): void;
  callTool(name: string, args: JsonObject): Promise<JsonObject>;
  readResource(uri: string): Promise<JsonObject>;
  /** Asks the user; false if he refuses. */
  openLink(url: string): Promise<boolean>;
  /** Returns the mode that the view then has. */
  setDisplayMode(mode: unknown): DisplayMode;
  setModelContext(context: JsonObject): void;
  /** Shows what the view says to the model, or to its author. */
  say(kind: 'message' | 'log', value: unknown): void;
  setHeight(height: number): void;
  /** Called when the view wants to be removed. */
  ended(): void;
}

/**
 * The host of a view: answers its requests, and sends it the input and the result of its call.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export class ViewHost {
  readonly #actions: ViewActions;
  readonly #conversation: Conversation;
  readonly #lanes = new Lanes();
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;

  /** `window` has the frame of the view as its `parent`, whose documents have the given origin. */
  constructor(window: MessageWindow, origin: string, actions: ViewActions) {
    this.#actions = actions;
    const receiver = {
      answer: (method: string, params: JsonObject) => this.#methods[method]?.(params),
      notified: (method: string, params: JsonObject) => this.#notifications[method]?.(params),
    };
    this.#conversation = new Conversation(window, receiver, origin);
  }

  /** Sends a notification, such as `tool-result`, once the view is ready. */
  async notify(name: string, params: JsonObject): Promise<void> {
    await this.#ready.promise;
    this.#conversation.notify(`ui/notifications/${name}`, params);
  }

  /** Lets the view end its work, for a limited time. */
  async close(): Promise<void> {
    if (this.#isReady) {
      const signal = AbortSignal.timeout(teardownMs);
      await this.#conversation.request('ui/resource-teardown', {}, signal).catch(() => undefined);
    }
    this.#conversation.close();
  }

  readonly #methods: { readonly [method: string]: (params: JsonObject) => JsonObject | Promise<JsonObject> } =
    {
      ping: () => ({}),
      'ui/initialize': ({ appInfo, appCapabilities }) => {
        const { version } = this.#actions;
        const modes = isObject(appCapabilities) ? appCapabilities['availableDisplayModes'] : [];
        this.#actions.introduced({
          info: isObject(appInfo) ? appInfo : {},
          displayModes: displayModes.filter((each) => Array.isArray(modes) && modes.includes(each)),
        });
        const hostInfo = { name: 'mcp inspect', version };
        return { protocolVersion, hostInfo, hostCapabilities, hostContext: this.#actions.context() };
      },
      'tools/call': ({ name, arguments: args }) =>
        this.#lanes.run(() => this.#actions.callTool(String(name), isObject(args) ? args : {})),
      'resources/read': ({ uri }) => this.#lanes.run(() => this.#actions.readResource(String(uri))),
      'ui/open-link': async ({ url }) =>
        (await this.#actions.openLink(String(url))) ? {} : { isError: true },
      'ui/message': ({ content }) => {
        this.#actions.say('message', content);
        return {};
      },
      'ui/update-model-context': ({ content, structuredContent }) => {
        this.#actions.setModelContext({ content, structuredContent });
        return {};
      },
      'ui/request-display-mode': ({ mode }) => ({ mode: this.#actions.setDisplayMode(mode) }),
    };

  readonly #notifications: { readonly [method: string]: (params: JsonObject) => void } = {
    'ui/notifications/initialized': () => {
      this.#isReady = true;
      this.#ready.resolve();
    },
    'ui/notifications/size-changed': ({ height }) => {
      if (typeof height === 'number') this.#actions.setHeight(height);
    },
    'ui/notifications/request-teardown': () => this.#actions.ended(),
    'notifications/message': ({ level, logger, data }) => this.#actions.say('log', { level, logger, data }),
  };
}

export const displayModes: readonly DisplayMode[] = ['inline', 'fullscreen', 'pip'];

const all = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {}, structuredContent: {} };
const hostCapabilities = {
  openLinks: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: all,
  updateModelContext: all,
};
