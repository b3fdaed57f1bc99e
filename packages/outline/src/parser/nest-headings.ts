import type { FlatSymbol } from '../outline.ts';

/**
 * Adds to each heading its depth and its last line. A heading extends to the next one of the same or a higher
 * level.
 */
export function nestHeadings(headings: readonly FlatSymbol[], text: string): FlatSymbol[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const around: number[] = [];
  return headings.map((heading, index) => {
    const level = levelOf(heading);
    while (around.length > 0 && around.at(-1)! >= level) around.pop();
    const depth = around.length;
    around.push(level);
    const next = headings.find((other, place) => place > index && levelOf(other) <= level);
    const name = heading.name.replace(/(?:^| )#+$/, '');
    return { ...heading, name, depth, endLine: next ? next.startLine - 1 : lines };
  });
}

function levelOf({ kind }: FlatSymbol): number {
  return Number(kind.slice(1));
}
