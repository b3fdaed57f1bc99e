import { type Child, element, type ElementAttributes } from './element.ts';

/** A row as it is shown. */
export interface LongListRow {
  readonly content: readonly Child[];
  readonly class?: string;
  /** Whether the user has selected the row; undefined in a list without a selection. */
  readonly selected?: boolean | undefined;
  /** Further attributes, such as the `aria-level` of a row of a tree. */
  readonly attributes?: ElementAttributes;
}

export interface LongListOptions {
  /** Default: `grid`. */
  readonly role?: 'grid' | 'treegrid';
  /** The height of each row, in CSS pixels. */
  readonly rowHeight: number;
  readonly draw: (index: number) => LongListRow;
  /** Gets the rows in sight, from the first to before the last, which may have to be read. */
  readonly want?: (from: number, to: number) => void;
  /** The user has chosen a row by a click or Enter. */
  readonly choose?: (index: number, event: Event) => void;
  /** Gets the other keys. Returns whether it has used one. */
  readonly pressed?: (event: KeyboardEvent, index: number) => boolean;
  /** By how many CSS pixels the rows are wider than the list. Default: 0. */
  readonly overflow?: () => number;
}

/** The rows of a list. */
export interface LongListRows {
  readonly count: number;
  /** The number of all rows, if that is known. */
  readonly total: number | undefined;
  /** What a row shows: it is drawn again when this is another value. */
  readonly valueOf: (index: number) => unknown;
}

/** Browsers show no elements that are much higher, in CSS pixels. */
const maxHeight = 8_000_000;
/** Rows above and below those in sight that are drawn too. */
const moreRows = 6;

/**
 * Any number of rows of one height, of which only those in sight are in the page. The arrow keys, Page Up,
 * Page Down, Home and End move between them. Where rows are wider than the list, `--x` is how far it is
 * scrolled.
 */
export class LongList {
  readonly #list: HTMLElement;
  readonly #options: LongListOptions;
  readonly #body = element('div', { role: 'rowgroup', class: 'rows' });
  readonly #space = element('div', { role: 'presentation' }, this.#body);
  readonly #drawn = new Map<number, { readonly node: HTMLElement; readonly value: unknown }>();
  #rows: LongListRows = { count: 0, total: 0, valueOf: () => undefined };
  #active = 0;
  #frame = 0;

  /** The element gets the role of a grid with one column; its name is that of the element. */
  constructor(list: HTMLElement, options: LongListOptions) {
    this.#list = list;
    this.#options = options;
    list.role = options.role ?? 'grid';
    list.tabIndex = 0;
    list.classList.add('long-list');
    list.append(this.#space);
    list.addEventListener('scroll', () => this.#later());
    list.addEventListener('keydown', (event) => this.#keyPressed(event));
    list.addEventListener('click', (event) => this.#clicked(event));
    list.addEventListener('focus', () => this.#draw());
    new ResizeObserver(() => this.#later()).observe(list);
  }

  /** The index of the row that the keys move from. */
  get active(): number {
    return this.#active;
  }

  /** Shows rows. `isOther` says that they are those of something else: the first one is then in sight. */
  show(rows: LongListRows, isOther = false): void {
    this.#rows = rows;
    if (isOther) {
      this.#active = 0;
      this.#list.scrollTo(0, 0);
    }
    this.#active = Math.max(0, Math.min(this.#active, rows.count - 1));
    this.#list.hidden = rows.count === 0;
    this.#draw();
  }

  focus(): void {
    this.#list.focus({ preventScroll: true });
  }

  /** Makes a row the active one, and brings it into sight. */
  go(index: number): void {
    const { rowHeight } = this.#options;
    this.#active = Math.max(0, Math.min(this.#rows.count - 1, index));
    const { clientHeight } = this.#list;
    const { scale, top } = this.#measure();
    const own = this.#active * rowHeight;
    const next = Math.min(own, Math.max(top, own + rowHeight - clientHeight));
    if (next !== top) this.#list.scrollTop = next / scale;
    this.#draw();
  }

  #later(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Rows that are higher together than a browser allows are scrolled in larger steps. */
  #measure() {
    const { clientHeight, scrollTop } = this.#list;
    const full = this.#rows.count * this.#options.rowHeight;
    const height = Math.min(full, maxHeight);
    const scale = height > clientHeight ? (full - clientHeight) / (height - clientHeight) : 1;
    return { height, scale, scrollTop, top: scrollTop * scale };
  }

  #draw(): void {
    const list = this.#list;
    const { rowHeight, want, overflow } = this.#options;
    const { count, total } = this.#rows;
    const { clientWidth, scrollLeft } = list;
    if (clientWidth === 0) return;
    const { height, scrollTop, top } = this.#measure();
    list.setAttribute('aria-rowcount', String(total ?? -1));
    list.style.setProperty('--x', `${scrollLeft}px`);
    this.#space.style.width = `${clientWidth + (overflow?.() ?? 0)}px`;
    this.#space.style.height = this.#body.style.height = `${height}px`;
    this.#body.style.width = `${clientWidth}px`;
    // While a list grows with its rows, its height says nothing of how many would be in sight.
    const seen = Math.max(list.clientHeight, rowHeight * 4);
    const from = Math.min(count, Math.max(0, Math.floor(top / rowHeight) - moreRows));
    const to = Math.min(count, Math.ceil((top + seen) / rowHeight) + moreRows);
    for (const [index, { node }] of this.#drawn) {
      if (index >= from && index < to) continue;
      node.remove();
      this.#drawn.delete(index);
    }
    let before: Element | null = null;
    for (let index = from; index < to; index++) {
      const node = this.#drawRow(index);
      node.style.top = `${index * rowHeight - top + scrollTop}px`;
      // Screen readers go through the rows in the order of the page.
      const place: Element | null = before ? before.nextElementSibling : this.#body.firstElementChild;
      if (place !== node) this.#body.insertBefore(node, place);
      before = node;
    }
    const active = this.#drawn.get(this.#active)?.node;
    if (active) list.setAttribute('aria-activedescendant', active.id);
    else list.removeAttribute('aria-activedescendant');
    want?.(from, to);
  }

  #drawRow(index: number): HTMLElement {
    const value = this.#rows.valueOf(index);
    const drawn = this.#drawn.get(index);
    let node = drawn?.node;
    if (!node || drawn!.value !== value) {
      const { content, class: kind = '', selected, attributes: more } = this.#options.draw(index);
      const attributes = { ...more, role: 'row', class: `row ${kind}`, 'aria-rowindex': index + 1 };
      node = element(
        'div',
        { ...attributes, id: `${this.#list.id}-${index}`, 'aria-selected': selected?.toString() },
        element('div', { role: 'gridcell', class: 'cell' }, ...content),
      );
      drawn?.node.replaceWith(node);
      this.#drawn.set(index, { node, value });
    }
    node.classList.toggle('active', index === this.#active);
    return node;
  }

  #keyPressed(event: KeyboardEvent): void {
    if (event.target !== this.#list || event.altKey) return;
    const page = Math.max(1, Math.floor(this.#list.clientHeight / this.#options.rowHeight) - 1);
    const moves: { readonly [key: string]: number } = {
      ArrowUp: -1,
      ArrowDown: 1,
      PageUp: -page,
      PageDown: page,
      Home: -Infinity,
      End: Infinity,
    };
    const move = moves[event.key];
    const isUsed = this.#options.pressed?.(event, this.#active) === true;
    if (!isUsed && move === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (isUsed) return;
    if (move === undefined) this.#options.choose?.(this.#active, event);
    else this.go(this.#active + move);
  }

  #clicked(event: Event): void {
    const target = event.target as Element;
    const row = target.closest('[role=row]')?.getAttribute('aria-rowindex');
    if (!row || target.closest('button')) return;
    this.#active = Number(row) - 1;
    this.#draw();
    this.#options.choose?.(this.#active, event);
  }
}
