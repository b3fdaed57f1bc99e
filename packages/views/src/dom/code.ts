import type { Language } from '../model/languages.ts';
import { marked, tokensOf } from '../model/tokens.ts';
import { element } from './element.ts';

/** A line of code with colours, and with a mark from one character to before another. */
export function codeNode(
  text: string,
  language: Language | undefined,
  mark?: readonly [from: number, to: number],
): HTMLElement {
  const tokens = marked(tokensOf(text, language), ...(mark ?? ([0, 0] as const)));
  return element(
    'span',
    { class: 'code' },
    element(
      'span',
      { class: 'text' },
      ...tokens.map(([kind, part, isMarked]) =>
        kind === '' && !isMarked
          ? part
          : element('span', { class: `${kind}${isMarked ? ' mark' : ''}` }, part),
      ),
    ),
  );
}

/** By how many pixels the longest line is wider than its place in a list. */
export function overflowOf(list: HTMLElement, columns: number, isHalf = false): number {
  const [probe, code] = ['probe', 'code'].map((kind) => list.querySelector(`.${kind}`));
  const width = columns * ((probe?.getBoundingClientRect().width ?? 0) / 100) + 24;
  return Math.max(
    0,
    Math.ceil(width - (code?.getBoundingClientRect().width ?? list.clientWidth / (isHalf ? 2 : 1))),
  );
}

/** A text of a hundred columns, by which they are measured. */
export function probeNode(): HTMLElement {
  return element('span', { class: 'probe', 'aria-hidden': 'true' }, '0'.repeat(100));
}

/** The sign of a line of a diff, which screen readers say as a word. */
export function signNode(side: string): HTMLElement {
  const [sign, spoken] = { removed: ['−', 'removed'], added: ['+', 'added'] }[side] ?? [' ', ''];
  return element(
    'span',
    { class: 'sign' },
    element('span', { 'aria-hidden': 'true' }, sign),
    spoken !== '' && element('span', { class: 'spoken' }, spoken),
  );
}
