import { button, byId, cut, element } from './dom.ts';
import type { Message } from './types.ts';
import { send } from './api.ts';
import { nextTask } from './next-task.ts';

const rowHeight = 26;
/** Maximum number of messages, as `mcp inspect` keeps them, and how many are deleted together. */
const limits = { messages: 100_000, deleted: 10_000 } as const;
/** Milliseconds of one piece of work, between which the page answers its user. */
const sliceMs = 8;
const kinds = ['request', 'notification', 'result', 'error', 'other'] as const;
const signs = { request: '●', notification: '◆', result: '○', error: '✕', other: '?' } as const;

/** All messages in a windowed list: only the rows in sight are in the page. */
export class Timeline {
  readonly #all: Message[] = [];
  #shown: Message[] = [];
  /** How many of all messages the filter has passed so far. */
  #filtered = 0;
  #isFiltering = false;
  #selected: Message | undefined;
  #text = '';
  readonly #hidden = new Set<string>();
  readonly #lanes = new Map<string, number>();
  readonly #list = byId('list');
  readonly #rows = byId('rows');
  readonly #follow = byId<HTMLInputElement>('follow');
  #isDrawing = false;
  /** The rows in the page. */
  #nodes = new Map<Message, HTMLElement>();

  constructor() {
    const filter = byId<HTMLInputElement>('filter');
    filter.addEventListener('input', () => {
      this.#text = filter.value.toLowerCase();
      this.#restart();
    });
    addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      filter.focus();
    });
    this.#list.addEventListener('scroll', () => this.#draw());
    this.#list.addEventListener('wheel', () => (this.#follow.checked = this.#isAtEnd()), { passive: true });
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    // A click would be lost if a message came while the button is down.
    this.#list.addEventListener('pointerdown', (event) => {
      const row = (event.target as Element).closest<HTMLElement>('[data-index]');
      if (row) this.#select(Number(row.dataset['index']));
    });
    new ResizeObserver(() => this.#draw()).observe(this.#list);
    byId('kinds').append(
      ...kinds.slice(0, 4).map((kind) => {
        const toggle = button(
          `${kind}s`,
          () => {
            if (!this.#hidden.delete(kind)) this.#hidden.add(kind);
            toggle.setAttribute('aria-pressed', String(!this.#hidden.has(kind)));
            this.#restart();
          },
          { 'aria-pressed': 'true', class: `kind ${kind}` },
        );
        return toggle;
      }),
    );
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) this.#all.push(message);
    if (this.#all.length > limits.messages + limits.deleted) {
      this.#all.splice(0, this.#all.length - limits.messages);
      this.#restart();
    } else void this.#filter();
  }

  #restart(): void {
    this.#shown = [];
    this.#filtered = 0;
    void this.#filter();
  }

  /** Filters in slices of time, so that the page never stops for long. */
  async #filter(): Promise<void> {
    if (this.#isFiltering) return;
    this.#isFiltering = true;
    while (this.#filtered < this.#all.length) {
      const end = performance.now() + sliceMs;
      while (this.#filtered < this.#all.length && performance.now() < end)
        for (let step = 0; step < 200 && this.#filtered < this.#all.length; step++) {
          const message = this.#all[this.#filtered++]!;
          if (this.#matches(message)) this.#shown.push(message);
        }
      this.#draw();
      await nextTask();
    }
    this.#isFiltering = false;
  }

  #matches({ kind, method, server, text }: Message): boolean {
    if (this.#hidden.has(kind)) return false;
    if (this.#text === '') return true;
    return (
      method.toLowerCase().includes(this.#text) ||
      server.toLowerCase().includes(this.#text) ||
      text.toLowerCase().includes(this.#text)
    );
  }

  #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#list;
    return scrollTop + clientHeight >= scrollHeight - rowHeight;
  }

  #draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#rows.style.height = `${this.#shown.length * rowHeight}px`;
      if (this.#follow.checked) this.#list.scrollTop = this.#list.scrollHeight;
      const { scrollTop, clientHeight } = this.#list;
      const first = Math.max(0, Math.floor(scrollTop / rowHeight) - 2);
      const last = Math.min(this.#shown.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + 2);
      const inSight = this.#shown.slice(first, last);
      const rows = inSight.map((message, index) => this.#row(message, first + index));
      // Rows that stay in sight stay in the page, so that they can be clicked while messages come.
      for (const row of this.#nodes.values()) if (!rows.includes(row)) row.remove();
      for (const row of rows) if (!row.isConnected) this.#rows.append(row);
      this.#nodes = new Map(inSight.map((message, index) => [message, rows[index]!]));
      const active =
        this.#selected && document.getElementById(`message-${this.#selected.number}`)
          ? `message-${this.#selected.number}`
          : '';
      this.#list.setAttribute('aria-activedescendant', active);
      const [shown, all] = [this.#shown.length, this.#all.length].map((each) => each.toLocaleString('en'));
      byId('count').textContent = shown === all ? all! : `${shown} of ${all}`;
    });
  }

  #row(message: Message, index: number): HTMLElement {
    const row = this.#nodes.get(message) ?? this.#newRow(message);
    row.dataset['index'] = String(index);
    row.ariaSelected = String(message === this.#selected);
    row.ariaPosInSet = String(index + 1);
    row.ariaSetSize = String(this.#shown.length);
    row.style.transform = `translateY(${index * rowHeight}px)`;
    return row;
  }

  #newRow({ number, time, from, server, kind, method, id, about, ms, bytes }: Message): HTMLElement {
    const lane = this.#lanes.get(server) ?? this.#lanes.size;
    this.#lanes.set(server, lane);
    const [arrow, way] = from === 'client' ? ['→', 'to the server'] : ['←', 'from the server'];
    return element(
      'div',
      { role: 'option', id: `message-${number}`, class: `${kind} from-${from}` },
      element('span', { class: 'time' }, ((time - this.#all[0]!.time) / 1_000).toFixed(3)),
      element('span', { class: `lane lane-${lane % 6}` }, server),
      element('span', { class: 'way', 'aria-label': way, role: 'img' }, arrow),
      element('span', { class: 'sign', role: 'img', 'aria-label': kind }, signs[kind]),
      element(
        'span',
        { class: 'method' },
        cut(method || kind, 'name'),
        about !== '' && element('bdi', {}, ` ${about.slice(0, 200)}`),
        id !== '' && element('small', {}, ` #${cut(id, 'name')}`),
      ),
      element('span', { class: 'ms' }, ms === undefined ? '' : `${ms} ms`),
      element('span', { class: 'bytes' }, bytesText(bytes)),
    );
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#list.clientHeight / rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || this.#shown.length === 0) return;
    event.preventDefault();
    const at = this.#selected ? this.#shown.indexOf(this.#selected) : step > 0 ? -1 : this.#shown.length;
    this.#select(Math.min(this.#shown.length - 1, Math.max(0, at + step)));
  }

  #select(index: number): void {
    const message = this.#shown[index];
    if (!message) return;
    this.#selected = message;
    this.#follow.checked = index === this.#shown.length - 1;
    const top = index * rowHeight;
    const { scrollTop, clientHeight } = this.#list;
    if (top < scrollTop) this.#list.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight)
      this.#list.scrollTop = top + rowHeight - clientHeight;
    this.#draw();
    void this.#show(message);
  }

  async #show(message: Message): Promise<void> {
    const part = byId('message');
    const isWhole = message.text.length < 4_000;
    const text = isWhole
      ? message.text
      : await send<string | null>({ do: 'message', number: message.number }).catch(() => null);
    if (this.#selected !== message) return;
    part.textContent = pretty(text ?? message.text);
    part.scrollTop = 0;
  }
}

export function pretty(text: string): string {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // It is shown as it was sent.
  }
  return cut(shown);
}

export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
