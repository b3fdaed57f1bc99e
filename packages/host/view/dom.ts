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

/** Makes an element. Texts become text nodes, never markup; `true` is an empty attribute. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { on = {}, ...attributes }: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : textOf(value));
  for (const [name, listener] of Object.entries(on)) made.addEventListener(name, listener as EventListener);
  made.append(...children.filter((child) => child !== false && child !== undefined));
  return made;
}

/** The element with an id, which the page has. */
export function byId<Made extends HTMLElement>(id: string): Made {
  return document.getElementById(id) as Made;
}

export function button(text: string, click: () => unknown, props: Props = {}): HTMLButtonElement {
  return element('button', { type: 'button', ...props, on: { click } }, text);
}
