/** Attributes by name: `true` is an empty one; `false` and `undefined` are left out. */
export type ElementAttributes = Readonly<Record<string, string | number | boolean | undefined>>;
/** What an element contains: a text becomes a text node; `false` and `undefined` are left out. */
export type Child = Node | string | false | undefined;

/** Makes an element of HTML. Texts become text nodes, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: ElementAttributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** Makes an element of SVG. */
export function shape<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: ElementAttributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled<Made extends Element>(
  made: Made,
  attributes: ElementAttributes,
  children: readonly Child[],
): Made {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  made.append(...present(children));
  return made;
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== false && child !== undefined);
}

/** The element with an id, which the page has. */
export function byId(id: string): HTMLElement {
  return document.getElementById(id)!;
}

/**
 * Makes a function that shows a value in a part of the page. An equal value changes nothing, so that what the
 * user has opened or focused stays; otherwise the focus goes to the element in the same place.
 */
export function region<Value>(part: HTMLElement, draw: (value: Value) => readonly Child[]) {
  let shown: string | undefined;
  return (value: Value): void => {
    const text = JSON.stringify(value);
    if (text === shown) return;
    shown = text;
    const focused = focusable(part).indexOf(document.activeElement as HTMLElement);
    part.replaceChildren(...present(draw(value)));
    if (focused >= 0) focusable(part)[focused]?.focus();
    part.hidden = part.childElementCount === 0;
  };
}

function focusable(part: HTMLElement): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>('button, input, select, summary, [tabindex]')];
}
