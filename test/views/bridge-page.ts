/** The frame of a view in the page of its host. */
export interface ViewFrame {
  srcdoc: string;
  readonly contentWindow: { postMessage(message: unknown, target: string): void };
  setAttribute(name: string, value: string): void;
}

/** The page in Chromium that shows a view in the official host. */
export interface BridgePage {
  /** What the view has requested and notified, in its order. */
  seen: (readonly [what: string, params: unknown])[];
  frame: ViewFrame;
  bridge: {
    sendToolCancelled(params: object): Promise<void>;
    setHostContext(context: object): void;
    teardownResource(params: object): Promise<object>;
    listTools(params: object): Promise<{ readonly tools: readonly object[] }>;
    callTool(params: object): Promise<object>;
  };
  show(html: string, hostContext: object): Promise<{ readonly app: unknown; readonly capabilities: unknown }>;
  readonly document: {
    readonly body: { append(element: unknown): void };
    createElement(name: string): unknown;
  };
}
