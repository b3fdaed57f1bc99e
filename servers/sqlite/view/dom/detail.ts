import { element, region } from '@mcp/views/dom';
import { bytesText, type Cell, countText, hexLines } from '../model/cell.ts';

export interface Detail {
  readonly row: number;
  readonly column: string;
  readonly cell: Cell;
  /** Whether the rest of the value is being read. */
  readonly isReading: boolean;
  readonly problem: string;
}

interface DetailEvents {
  readonly close: () => void;
  /** Shows only rows with this value. */
  readonly filter: () => void;
}

const maxHexLines = 1_000;
const maxTextLength = 200_000;

/** One value in full: a text with its lines, a BLOB as hexadecimal. */
export function detailIn(
  part: HTMLElement,
  { close, filter }: DetailEvents,
): (detail: Detail | undefined) => void {
  part.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  return region(part, (detail: Detail | undefined) => {
    if (!detail) return [];
    const { cell, column, row, isReading, problem } = detail;
    const only = element('button', { type: 'button', class: 'plain' }, 'Only rows with this value');
    only.addEventListener('click', filter);
    const done = element('button', { type: 'button', class: 'plain', 'aria-label': 'Close' }, '×');
    done.addEventListener('click', close);
    const text = cell.isHex ? hexLines(cell.text, maxHexLines).join('\n') : cell.text.slice(0, maxTextLength);
    return [
      element(
        'div',
        { class: 'title' },
        element('h2', {}, element('bdi', {}, column), element('span', {}, ` row ${countText(row + 1)}`)),
        element('span', { class: 'quiet' }, factsOf(cell)),
        cell.json !== undefined && only,
        done,
      ),
      element('pre', { tabindex: 0, class: cell.isHex ? 'hex' : '' }, text),
      isReading && element('p', { class: 'quiet' }, 'Reading the whole value …'),
      problem !== '' && element('p', { class: 'problem' }, problem),
    ];
  });
}

function factsOf({ kind, text, bytes = 0, isCut, isHex }: Cell): string {
  if (kind === 'null') return 'NULL: no value';
  const names = { integer: 'INTEGER', real: 'REAL', text: 'TEXT', blob: 'BLOB' };
  const size = isCut || isHex ? bytesText(bytes) : kind === 'text' ? sizeOf(text) : '';
  const parts = [
    names[kind],
    size,
    isHex && kind === 'text' ? 'not UTF-8' : '',
    isCut ? 'its beginning' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function sizeOf({ length }: string): string {
  return length === 1 ? '1 character' : `${countText(length)} characters`;
}
