/** A message that a window receives. */
export type WindowMessage = { readonly data: unknown; readonly origin: string; readonly source: unknown };

type Styles = {
  height: string;
  maxHeight: string;
  colorScheme: string;
  setProperty(name: string, value: string): void;
};

/** The element of a page. */
export interface PageElement {
  readonly style: Styles;
  readonly dataset: { [name: string]: string | undefined };
  getBoundingClientRect(): { readonly height: number };
}

/** What a conversation uses of a `Window`: the window at its other end, and the messages that arrive. */
export interface MessageWindow {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void };
  addEventListener(type: 'message', listener: (event: WindowMessage) => void): void;
  removeEventListener(type: 'message', listener: (event: WindowMessage) => void): void;
}

/**
 * What this module uses of a `Window`. It needs no types of the DOM, so that it compiles without them. An
 * element is passed as `never`, because the types of the DOM require a whole one.
 */
export interface ViewWindow extends MessageWindow {
  readonly innerWidth: number;
  readonly document: {
    readonly documentElement: PageElement;
    readonly body: PageElement | null;
    readonly head: { append(element: never): void };
    createElement(name: 'style'): { textContent: string | null };
  };
  readonly ResizeObserver: new (changed: () => void) => {
    observe(element: never): void;
    disconnect(): void;
  };
  reportError(error: unknown): void;
}
