import {
  byId,
  type Child,
  codeNode,
  element,
  LongList,
  type LongListRow,
  overflowOf,
  probeNode,
  signNode,
} from '@mcp/views/dom';
import { type Language, languageOf } from '@mcp/views/model';
import { changesOf, differenceOf, type PatchRow } from '../model/patch.ts';
import type { PatchReader } from '../patch-reader.ts';

interface PatchEvents {
  /** The user selects lines, or no longer. */
  readonly toggle: (lines: readonly string[]) => void;
  readonly moveHunk: (header: string) => void;
}

export interface ShownPatch {
  readonly reader: PatchReader;
  readonly path: string;
  readonly selected: ReadonlySet<string>;
  /** What a button at a hunk does; undefined where lines cannot be staged or unstaged. */
  readonly verb: string | undefined;
}

/** The lines of a diff, below each other or side by side. */
export class PatchPart {
  readonly #part = byId('patch');
  readonly #list: LongList;
  readonly #events: PatchEvents;
  #shown: ShownPatch | undefined;
  #language: Language | undefined;
  #generation = '';

  constructor(events: PatchEvents) {
    this.#events = events;
    this.#part.append(probeNode());
    this.#list = new LongList(this.#part, {
      rowHeight: 20,
      draw: (index) => this.#row(index),
      want: (from, to) => this.#shown?.reader.want(from, to),
      overflow: () => overflowOf(this.#part, this.#shown?.reader.longest ?? 0, this.#isPaired),
      choose: (index, { target, type }) => {
        const line = (target as HTMLElement).closest<HTMLElement>('[data-line]')?.dataset['line'];
        if (line !== undefined) events.toggle([line]);
        else if (type === 'keydown') this.#act(index);
      },
      pressed: ({ key }, index) => {
        if (key === 'ArrowLeft' || key === 'ArrowRight')
          this.#part.scrollLeft += key === 'ArrowLeft' ? -60 : 60;
        else if (key === ' ') this.#act(index);
        else return false;
        return true;
      },
    });
  }

  show(shown: ShownPatch): void {
    const { reader, path, selected, verb } = shown;
    this.#shown = shown;
    this.#language = languageOf(path);
    const generation = `${path} ${reader.generation}`;
    const isOther = generation !== this.#generation;
    this.#generation = generation;
    const valueOf = (index: number) => {
      const row = reader.row(index);
      const marks = row && changesOf(row).map((line) => Number(selected.has(line)));
      return row && `${generation} ${verb} ${marks!.join('')}`;
    };
    this.#list.show({ count: reader.count, total: reader.total, valueOf }, isOther);
  }

  get #isPaired(): boolean {
    return this.#shown?.reader.source?.pairs === true;
  }

  /** Stages a hunk, or selects the lines of a row. */
  #act(index: number): void {
    const row = this.#shown?.reader.row(index);
    if (!row || this.#shown!.verb === undefined) return;
    if (row.kind === '@') this.#events.moveHunk(row.header);
    else this.#events.toggle(changesOf(row));
  }

  #row(index: number): LongListRow {
    const row = this.#shown!.reader.row(index);
    if (!row) return { content: [element('span', { class: 'quiet' }, '…')] };
    if (row.kind === '@') return { class: 'hunk', content: this.#hunk(row) };
    if (row.kind === '#' || row.kind === '\\')
      return { class: 'note', content: [element('bdi', { class: 'quiet' }, row.text)] };
    const changes = changesOf(row);
    const { verb } = this.#shown!;
    return {
      class: this.#isPaired ? 'paired' : 'single',
      selected:
        verb === undefined || changes.length === 0 ? undefined : changes.every((line) => this.#has(line)),
      content: this.#isPaired ? this.#sides(row) : this.#line(row),
    };
  }

  #hunk({ text, header }: PatchRow): Child[] {
    const { verb } = this.#shown!;
    const button = element('button', { type: 'button', class: 'plain', tabindex: -1 }, `${verb} hunk`);
    button.addEventListener('click', () => this.#events.moveHunk(header));
    return [element('bdi', { class: 'header' }, text), verb !== undefined && header !== '' && button];
  }

  #line({ kind, old, new: added, text }: PatchRow): Child[] {
    const side = kind === '-' ? 'removed' : kind === '+' ? 'added' : '';
    return [
      element(
        'span',
        { class: `side ${side}` },
        this.#number('-', kind === '+' ? 0 : old, kind === '-'),
        this.#number('+', kind === '-' ? 0 : added, kind === '+'),
        signNode(side),
        codeNode(text, this.#language),
      ),
    ];
  }

  #sides({ kind, old, new: added, text, added: beside }: PatchRow): Child[] {
    const isPair = kind === '|';
    const difference = isPair ? differenceOf(text, beside) : undefined;
    const side = (sign: '-' | '+', line: number, shown: string, end: number | undefined) => {
      const isChange = isPair || kind === sign;
      const name = line === 0 ? 'none' : isChange ? (sign === '-' ? 'removed' : 'added') : '';
      return element(
        'span',
        { class: `side ${name}` },
        this.#number(sign, line, isChange),
        signNode(name),
        codeNode(shown, this.#language, difference && end !== undefined ? [difference[0], end] : undefined),
      );
    };
    return [
      side('-', kind === '+' ? 0 : old, kind === '+' ? '' : text, difference?.[1]),
      side('+', kind === '-' ? 0 : added, kind === '-' ? '' : isPair ? beside : text, difference?.[2]),
    ];
  }

  /** The number of a line; that of a change selects it. */
  #number(sign: '-' | '+', line: number, isChange: boolean): HTMLElement {
    const name = `${sign}${line}`;
    const isChosen = this.#has(name);
    const isSelectable = isChange && this.#shown!.verb !== undefined;
    return element(
      'span',
      { class: `number${isChosen ? ' chosen' : ''}`, 'data-line': isSelectable ? name : undefined },
      line === 0 ? '' : String(line),
    );
  }

  #has(line: string): boolean {
    return this.#shown!.selected.has(line);
  }
}
