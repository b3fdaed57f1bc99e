import type { PageElement, ViewWindow, WindowMessage } from '../src/browser.ts';

type Message = { readonly [key: string]: unknown };

class TestElement implements PageElement {
  height = 100;
  readonly variables = new Map<string, string>();
  readonly dataset: { [name: string]: string | undefined } = {};
  readonly style = {
    height: '',
    maxHeight: '',
    colorScheme: '',
    setProperty: (name: string, value: string) => void this.variables.set(name, value),
  };

  getBoundingClientRect() {
    return { height: this.style.height === 'max-content' ? this.height : 10_000 };
  }
}

/** The window of a view, and its parent: messages are cloned, and arrive in a later task, as in a browser. */
export class TestWindow implements ViewWindow {
  /** What the view has sent, with the origin that it named. */
  readonly sent: { readonly message: Message; readonly target: string }[] = [];
  readonly root = new TestElement();
  readonly added: { textContent: string | null }[] = [];
  innerWidth = 320.5;
  readonly #listeners = new Set<(event: WindowMessage) => void>();
  readonly #observers = new Set<() => void>();
  readonly #waiting: ((message: Message) => void)[] = [];
  #read = 0;

  readonly parent = {
    postMessage: (message: unknown, target: string) => {
      this.sent.push({ message: structuredClone(message) as Message, target });
      this.#waiting.shift()?.(this.sent[this.#read++]!.message);
    },
  };

  readonly document = {
    documentElement: this.root,
    body: new TestElement(),
    head: { append: (element: { textContent: string | null }) => void this.added.push(element) },
    createElement: () => ({ textContent: null as string | null }),
  };

  readonly ResizeObserver = observerOf(this.#observers);

  readonly reported: unknown[] = [];

  reportError(error: unknown): void {
    this.reported.push(error);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  get observers(): number {
    return this.#observers.size;
  }

  addEventListener(_: 'message', listener: (event: WindowMessage) => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: 'message', listener: (event: WindowMessage) => void): void {
    this.#listeners.delete(listener);
  }

  /** The next message of the view. */
  next(): Promise<Message> {
    const sent = this.sent[this.#read];
    if (!sent) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#read++;
    return Promise.resolve(sent.message);
  }

  /** Delivers a message; by default from the parent. */
  async receive(data: unknown, event: Partial<WindowMessage> = {}): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const message = { source: this.parent, origin: 'https://host.example', ...event };
    for (const listener of this.#listeners) listener({ ...message, data: structuredClone(data) });
    await new Promise((resolve) => setImmediate(resolve));
  }

  resize(height: number): void {
    this.root.height = height;
    for (const changed of this.#observers) changed();
  }
}

function observerOf(observers: Set<() => void>): ViewWindow['ResizeObserver'] {
  return class {
    readonly #changed: () => void;

    constructor(changed: () => void) {
      this.#changed = changed;
    }

    observe(): void {
      observers.add(this.#changed);
    }

    disconnect(): void {
      observers.delete(this.#changed);
    }
  };
}
