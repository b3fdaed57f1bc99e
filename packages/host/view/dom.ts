import { textOf } from './text-of.ts';

type Listener<Name extends keyof HTMLElementEventMap> = (event: HTMLElementEventMap[Name]) => unknown;

/** Attributes of an element, and its listeners by the names of events, such as `click`. */
export interface Props {
  readonly [attribute: string]:
    | string
    | number
    | boolean
    | undefined
    | { [Name in keyof HTMLElementEventMap]?: Listener<Name> };
  readonly on?: { [Name in keyof HTMLElementEventMap]?: Listener<Name> };
}

export type Child = Node | string | false | undefined;

/** Maximum number of shown characters of a text, of a description and of a name: browsers lay out slowly. */
const lengths = { text: 200_000, description: 5_000, name: 300 } as const;

/** The beginning of a text, and how much is left out. */
export function cut(text: string, kind: keyof typeof lengths = 'text'): string {
  const most = lengths[kind];
  const more = text.length - most;
  if (more <= 0) return text;
  return kind === 'name' ? `${text.slice(0, most)}…` : `${text.slice(0, most)}\n… ${more} more characters`;
}

/** Makes an element. Texts become text nodes, never markup, and are cut; `true` is an empty attribute. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { on = {}, ...attributes }: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : textOf(value));
  for (const [name, listener] of Object.entries(on)) made.addEventListener(name, listener as EventListener);
  const shown = children.filter((child) => child !== false && child !== undefined);
  made.append(...shown.map((child) => (typeof child === 'string' ? cut(child) : child)));
  return made;
}

/** The element with an id, which the page has. */
export function byId<Made extends HTMLElement>(id: string): Made {
  return document.getElementById(id) as Made;
}

export function button(text: string, click: () => unknown, props: Props = {}): HTMLButtonElement {
  return element('button', { type: 'button', ...props, on: { click } }, text);
}

/** An error for the user. */
export function trouble(error: unknown): HTMLElement {
  return element(
    'p',
    { class: 'trouble', role: 'alert' },
    error instanceof Error ? error.message : String(error),
  );
}
