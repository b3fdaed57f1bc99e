import type { DisplayMode, JsonObject, Theme } from '@mcp/views/browser';
import { send } from '../api.ts';
import { button, cut, element } from '../dom.ts';
import { pretty } from '../timeline.ts';
import { textOf } from '../text-of.ts';
import type { ShownView } from '../../src/inspect/shown.ts';
import type { Answer, Json } from '../types.ts';
import { maxHeight, partialInputs, surroundings, systemTheme } from './context.ts';
import { frameWindow } from './frame-window.ts';
import { type ViewActions, ViewHost } from './view-host.ts';

/** Maximum number of lines that are kept of what a view says. */
const maxLines = 100;

export interface ViewOf {
  readonly server: string;
  readonly tool: Json & { readonly name: string };
  readonly shown: ShownView;
  readonly args: Json;
  readonly version: string;
}

let calls = 0;

/** A view in its frame, with what it has said and asked. */
export class ViewPart {
  readonly node = element('section', { class: 'view inline', 'aria-label': 'View' });
  readonly #of: ViewOf;
  readonly #host: ViewHost;
  readonly #frame: HTMLIFrameElement;
  readonly #state = element('span', { role: 'status' }, 'The view is loading …');
  readonly #theme = choice('Theme of the view', ['light', 'dark'], () => this.#setTheme());
  readonly #mode = choice('Display mode', ['inline'], () => this.#setMode(this.#mode.value as DisplayMode));
  readonly #lines = element('ul', { 'aria-label': 'What the view says' });
  readonly #asks = element('div', { 'aria-live': 'assertive' });
  readonly #model = element('pre', { tabindex: 0, role: 'region', 'aria-label': 'The context of the model' });
  readonly #running = new Set<string>();
  #isOver = false;

  /** Shows the view below `place`. */
  constructor(of: ViewOf, place: HTMLElement) {
    this.#of = of;
    const { path, allow, prefersBorder, notes } = of.shown;
    // Another host than that of the page: another origin and another process.
    const origin = `http://localhost:${location.port}`;
    const sandbox = 'allow-scripts allow-same-origin';
    this.#frame = element('iframe', { title: `The view of ${of.tool.name}`, sandbox, allow });
    if (!prefersBorder) this.#frame.classList.add('bare');
    const model = element('details', {}, element('summary', {}, 'The context of the model'), this.#model);
    this.#theme.value = systemTheme();
    this.node.append(
      element(
        'div',
        { class: 'actions' },
        this.#state,
        this.#theme,
        this.#mode,
        button('End', () => this.close()),
      ),
      ...notes.map((note) => element('p', { class: 'trouble' }, note)),
      this.#asks,
      this.#frame,
      this.#lines,
      model,
    );
    place.append(this.node);
    const window = frameWindow(this.#frame, () =>
      this.#end('The view sent too many messages, and was ended'),
    );
    this.#host = new ViewHost(window, origin, this.#actions());
    this.#frame.src = origin + path;
    for (const partial of partialInputs(of.args)) this.#notify('tool-input-partial', { arguments: partial });
    this.#notify('tool-input', { arguments: of.args });
  }

  result({ result, text }: Answer): void {
    if (result) this.#notify('tool-result', result);
    else this.cancelled(text);
  }

  cancelled(reason: string): void {
    this.#notify('tool-cancelled', { reason });
  }

  /** Lets the view end, and removes it. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#host.close();
    this.#end('The view was ended');
  }

  #end(reason: string): void {
    this.#isOver = true;
    this.#frame.remove();
    void this.#host.close();
    this.#state.textContent = reason;
    this.node.className = 'view inline';
    this.#asks.replaceChildren();
    for (const each of [this.#theme, this.#mode]) each.disabled = true;
    for (const id of this.#running) void send({ do: 'cancel', id });
  }

  #notify(name: string, params: JsonObject): void {
    void this.#host.notify(name, params);
  }

  #actions(): ViewActions {
    const { version } = this.#of;
    return {
      version,
      context: () => this.#context(),
      introduced: ({ info, displayModes }) => {
        this.#state.textContent = cut([info['name'], info['version']].map(textOf).join(' '), 'name');
        const modes = new Set<DisplayMode>(['inline', ...displayModes]);
        this.#mode.replaceChildren(...Array.from(modes, (each) => element('option', { value: each }, each)));
      },
      callTool: (name, args) => this.#call({ tool: name, arguments: args }),
      readResource: (uri) => this.#call({ resource: uri }),
      openLink: (url) => this.#askToOpen(url),
      setDisplayMode: (mode) => this.#setMode(mode),
      setModelContext: (context) => (this.#model.textContent = pretty(JSON.stringify(context))),
      say: (kind, value) => this.#say(kind, value),
      setHeight: (height) =>
        (this.#frame.style.height = `${Math.min(maxHeight, Math.max(0, Math.ceil(height)))}px`),
      ended: () => void this.close(),
    };
  }

  #context() {
    const { clientWidth } = this.#frame;
    return {
      ...surroundings(),
      toolInfo: { tool: this.#of.tool as never },
      theme: this.#theme.value as Theme,
      displayMode: this.#mode.value as DisplayMode,
      availableDisplayModes: ['inline', 'fullscreen', 'pip'] as const,
      containerDimensions: { width: clientWidth, maxHeight },
    };
  }

  async #call(call: Json): Promise<JsonObject> {
    const id = `view-${++calls}`;
    this.#running.add(id);
    try {
      const { result, text } = await send<Answer>({ do: 'view-call', server: this.#of.server, id, call });
      if (result) return result;
      throw new Error(text);
    } finally {
      this.#running.delete(id);
    }
  }

  /** Opens a page when the user agrees. One question is open at a time. */
  #askToOpen(url: string): Promise<boolean> {
    const { protocol } = URL.parse(url) ?? {};
    if ((protocol !== 'https:' && protocol !== 'http:') || this.#asks.hasChildNodes())
      return Promise.resolve(false);
    return new Promise((resolve) => {
      const answer = (isOpened: boolean) => () => {
        this.#asks.replaceChildren();
        if (isOpened) open(url, '_blank', 'noopener,noreferrer');
        resolve(isOpened);
      };
      this.#asks.append(
        element('p', {}, 'The view wants to open ', element('code', {}, cut(url, 'description'))),
        element('div', { class: 'actions' }, button('Open', answer(true)), button('Refuse', answer(false))),
      );
    });
  }

  #say(kind: string, value: unknown): void {
    this.#lines.append(element('li', {}, element('b', {}, kind), ' ', cut(textOf(value), 'description')));
    if (this.#lines.childElementCount > maxLines) this.#lines.firstElementChild!.remove();
  }

  #setTheme(): void {
    this.#notify('host-context-changed', { theme: this.#theme.value });
  }

  /** Sets the mode, if the view is made for it; returns the mode that it then has. */
  #setMode(mode: unknown): DisplayMode {
    const option = Array.from(this.#mode.options).find(({ value }) => value === mode);
    if (option && this.node.className !== `view ${option.value}`) {
      option.selected = true;
      this.node.className = `view ${option.value}`;
      this.#notify('host-context-changed', { displayMode: option.value });
    }
    return this.#mode.value as DisplayMode;
  }
}

function choice(label: string, values: readonly string[], change: () => void): HTMLSelectElement {
  const options = values.map((value) => element('option', { value }, value));
  return element('select', { 'aria-label': label, on: { change } }, ...options);
}
