import { element } from '@mcp/views/dom';
import { type Cell, shortText } from '../model/cell.ts';

/** What a table shows of a value. NULL differs from the text NULL, and an empty text from both. */
export function cellContent(cell: Cell): (Node | string)[] {
  const text = shortText(cell);
  if (cell.kind === 'null' || cell.isHex) return [element('span', { class: 'tag' }, text)];
  if (text === '') return [element('span', { class: 'spoken' }, 'empty text')];
  return cell.isCut ? [text, ' ', element('span', { class: 'tag' }, 'cut')] : [text];
}
