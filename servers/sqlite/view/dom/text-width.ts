/** Measures texts in the font of an element. */
export function widthIn(node: HTMLElement): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  const { fontSize, fontFamily } = getComputedStyle(node);
  if (context) context.font = `${fontSize} ${fontFamily}`;
  return (text) => context?.measureText(text).width ?? text.length * 8;
}
