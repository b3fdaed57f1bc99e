import type { CallToolResult } from '@mcp/protocol/client';
import type { DisplayMode, HostContext } from './host-context.ts';
import type { JsonObject } from '../model/json-object.ts';
import type { ViewTools } from './view-tools.ts';
import type { ViewWindow } from './view-window.ts';

/** What a view is, and what it does with the messages of its host. */
export type ViewOptions = {
  readonly name: string;
  readonly version: string;
  /** The display modes that the view is made for. Default: `inline` alone. */
  readonly displayModes?: readonly DisplayMode[];
  /** Gets the arguments of the call, once they are complete. */
  readonly onInput?: (args: JsonObject) => void;
  /** Gets the arguments as far as the model has written them: each may be absent or cut off. */
  readonly onPartialInput?: (args: JsonObject) => void;
  readonly onResult?: (result: CallToolResult) => void;
  /** The call has ended without a result. */
  readonly onCancelled?: (reason: string | undefined) => void;
  /** Gets the context, first when the view connects, with the parts that are new. */
  readonly onContext?: (context: HostContext, changed: HostContext) => void;
  /** The host removes the view when this returns, or its promise resolves. */
  readonly onTeardown?: () => void | Promise<void>;
  /** Gets other notifications, such as `notifications/tools/list_changed`. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
  /** The tools that the view offers to its host: see `viewTools`. Default: none. */
  readonly tools?: ViewTools;
  /** Whether the root gets the theme, variables, fonts and height of the host. Default: true. */
  readonly appliesStyles?: boolean;
  /** Whether the size of the page is reported to the host. Default: true. */
  readonly reportsSize?: boolean;
  /** Ends an attempt that the host does not answer: `AbortSignal.timeout(5_000)`. */
  readonly signal?: AbortSignal;
  /** Default: the window of the script. */
  readonly window?: ViewWindow;
};
