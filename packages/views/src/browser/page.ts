import type { HostContext } from './host-context.ts';
import { objectOf } from '../model/json-object.ts';
import type { PageElement, ViewWindow } from './view-window.ts';

/** More variables than the specification names are not set. */
const maxVariables = 500;

/** The page of a view: looks as its host says, and measures itself. */
export class Page {
  readonly #window: ViewWindow;
  readonly #root: PageElement;
  #fonts: { textContent: string | null } | undefined;
  #stop: (() => void) | undefined;

  constructor(window: ViewWindow) {
    this.#window = window;
    this.#root = window.document.documentElement;
  }

  /**
   * Sets `data-theme` and `color-scheme` of the root, the variables and fonts of the host, and the height of
   * the root where the host fixes or limits it.
   */
  apply({ theme, styles, containerDimensions }: HostContext): void {
    const { dataset, style } = this.#root;
    if (theme === 'light' || theme === 'dark') dataset['theme'] = style.colorScheme = theme;
    const { variables, css } = objectOf(styles);
    for (const [name, value] of Object.entries(objectOf(variables)).slice(0, maxVariables))
      if (name.startsWith('--')) style.setProperty(name, typeof value === 'string' ? value : '');
    const { fonts } = objectOf(css);
    if (typeof fonts === 'string') this.#setFonts(fonts);
    const { height, maxHeight } = objectOf(containerDimensions);
    style.height = isNumber(height) ? '100vh' : '';
    style.maxHeight = !isNumber(height) && isNumber(maxHeight) ? `${maxHeight}px` : '';
  }

  /** Calls `changed` with the size that the page needs, now and after each change, until `close`. */
  measure(context: () => HostContext, changed: (size: { width?: number; height?: number }) => void): void {
    let last = '{}';
    const report = () => {
      const fixed = objectOf(context().containerDimensions);
      const size = {
        ...(!isNumber(fixed['width']) && { width: Math.ceil(this.#window.innerWidth) }),
        ...(!isNumber(fixed['height']) && { height: this.#height() }),
      };
      const text = JSON.stringify(size);
      if (text === last) return;
      last = text;
      changed(size);
    };
    const observer = new this.#window.ResizeObserver(report);
    observer.observe(this.#root as never);
    // A root that its host has fixed does not grow with its content.
    const { body } = this.#window.document;
    if (body) observer.observe(body as never);
    this.#stop = () => observer.disconnect();
    report();
  }

  close(): void {
    this.#stop?.();
  }

  /** The height of the content: a root that fills its frame would never become smaller. */
  #height(): number {
    const { style } = this.#root;
    const { height } = style;
    style.height = 'max-content';
    const needed = Math.ceil(this.#root.getBoundingClientRect().height);
    style.height = height;
    return needed;
  }

  #setFonts(fonts: string): void {
    const { document } = this.#window;
    if (!this.#fonts) document.head.append((this.#fonts = document.createElement('style')) as never);
    if (this.#fonts.textContent !== fonts) this.#fonts.textContent = fonts;
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
