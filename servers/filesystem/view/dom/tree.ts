import { byId, type Child, element, LongList, type LongListRow } from '@mcp/views/dom';
import { countOf, lineOf } from '@mcp/views/model';
import type { Entry } from '../model/entries.ts';
import { colourOf, sizeText } from '../model/entries.ts';

/** A row of the tree. */
export interface ShownEntry {
  readonly entry: Entry | undefined;
  readonly level: number;
  /** Whether a directory is open; undefined for other entries. */
  readonly isOpen: boolean | undefined;
  /** Whether the row is the one whose content the picture shows. */
  readonly isChosen: boolean;
  /** The bytes of the directory around the entry. */
  readonly whole: number;
  readonly problem: string;
}

export interface ShownTree {
  readonly count: number;
  readonly row: (index: number) => ShownEntry;
  readonly want: (from: number, to: number) => void;
}

/** The entries of a directory and of those that are open in it, with their sizes. */
export class TreePart {
  readonly #list: LongList;
  #tree: ShownTree = { count: 0, row: () => undefined as never, want: () => {} };

  constructor(choose: (index: number) => void, move: (index: number, isIn: boolean) => void) {
    this.#list = new LongList(byId('entries'), {
      role: 'treegrid',
      rowHeight: 26,
      draw: (index) => this.#row(this.#tree.row(index)),
      want: (from, to) => this.#tree.want(from, to),
      choose,
      pressed: ({ key }, index) => {
        if (key === ' ') choose(index);
        else if (key === 'ArrowRight' || key === 'ArrowLeft') move(index, key === 'ArrowRight');
        else return false;
        return true;
      },
    });
  }

  show(tree: ShownTree, isOther: boolean): void {
    this.#tree = tree;
    const valueOf = (index: number) => {
      const { entry, level, isOpen, isChosen, problem } = tree.row(index);
      return `${entry?.name} ${entry?.size} ${level} ${isOpen} ${isChosen} ${problem}`;
    };
    this.#list.show({ count: tree.count, total: tree.count, valueOf }, isOther);
  }

  go(index: number): void {
    this.#list.go(index);
  }

  #row({ entry, level, isOpen, isChosen, whole, problem }: ShownEntry): LongListRow {
    const attributes = { 'aria-level': level, 'aria-expanded': isOpen?.toString() };
    if (!entry) return { attributes, content: [element('span', { class: 'quiet' }, 'Reading …')] };
    const share = whole > 0 ? Math.max(0, Math.min(1, entry.size / whole)) : 0;
    const bar = element('span', { class: `bar colour-${colourOf(entry)}` });
    bar.style.width = `${(share * 100).toFixed(1)}%`;
    const indent = element('span', { class: 'indent' });
    indent.style.width = `${Math.min(level - 1, 12) * 14}px`;
    return {
      attributes,
      class: `${entry.kind}${isChosen ? ' chosen' : ''}`,
      content: [
        indent,
        element(
          'span',
          { class: 'mark', 'aria-hidden': 'true' },
          isOpen === undefined ? '' : isOpen ? '▾' : '▸',
        ),
        element('bdi', { class: 'name' }, `${entry.text}${isOpen === undefined ? '' : '/'}`),
        ...noteNodes(entry, problem),
        element('span', { class: 'bars', 'aria-hidden': 'true' }, bar),
        element('span', { class: 'size' }, sizeText(entry.size)),
      ],
    };
  }
}

function noteNodes({ kind }: Entry, problem: string): Child[] {
  if (problem !== '') return [element('span', { class: 'problem note' }, lineOf(problem, 200))];
  const isNamed = kind === 'file' || kind === 'directory';
  return isNamed ? [] : [element('span', { class: 'quiet note' }, lineOf(kind, 40))];
}

/** What the last line of the page says of a directory. */
export function treeFacts({
  total,
  bytes,
  files,
  unreadable,
}: {
  readonly total: number;
  readonly bytes: number;
  readonly files: number;
  readonly unreadable: number;
}): string[] {
  return [
    sizeText(bytes),
    countOf(files, 'file'),
    countOf(total, 'entry', 'entries'),
    ...(unreadable > 0 ? [`${countOf(unreadable, 'directory', 'directories')} not readable`] : []),
  ];
}
