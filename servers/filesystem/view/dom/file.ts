import { byId, codeNode, element, LongList, overflowOf, probeNode } from '@mcp/views/dom';
import { countOf, languageOf } from '@mcp/views/model';
import { sizeText } from '../model/entries.ts';
import type { Lines } from '../model/lines.ts';

export interface ShownFile {
  readonly file: Lines | undefined;
  readonly count: number;
  readonly total: number | undefined;
  readonly generation: number;
  readonly changes: number;
  readonly longest: number;
  readonly line: (index: number) => string | undefined;
  readonly want: (from: number, to: number) => void;
}

/** The lines of a file with their numbers. */
export class FilePart {
  readonly #part = byId('lines');
  readonly #list: LongList;
  #shown: ShownFile | undefined;
  /** The line that is shown first, until it was. */
  #first = 0;

  constructor() {
    this.#part.append(probeNode());
    this.#list = new LongList(this.#part, {
      rowHeight: 20,
      draw: (index) => {
        const text = this.#shown?.line(index);
        return {
          content: [
            element('span', { class: 'number' }, String(index + 1)),
            codeNode(text ?? '…', languageOf(this.#shown?.file?.path ?? '')),
          ],
        };
      },
      want: (from, to) => this.#shown?.want(from, to),
      overflow: () => overflowOf(this.#part, this.#shown?.longest ?? 0),
      pressed: ({ key }) => {
        if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
        this.#part.scrollLeft += key === 'ArrowLeft' ? -60 : 60;
        return true;
      },
    });
  }

  /** The index of the first line in sight, about. */
  get top(): number {
    return Math.floor(this.#part.scrollTop / 20);
  }

  /** The next file is shown from this line on. */
  begin(first: number): void {
    this.#first = first;
  }

  focus(): void {
    this.#list.focus();
  }

  show(shown: ShownFile): void {
    const { file, count, total, generation, line } = shown;
    const isOther = this.#shown?.generation !== generation;
    const wasAtEnd = !isOther && this.#shown!.count > 1 && this.#list.active === this.#shown!.count - 1;
    this.#shown = shown;
    byId('path').replaceChildren(element('bdi', {}, file?.path ?? ''));
    const valueOf = (index: number) => `${generation} ${line(index)}`;
    this.#list.show({ count: file ? count : 0, total, valueOf }, isOther);
    if (!file) return;
    // Who is at the end of a file follows what is appended.
    if (this.#first > 0) this.#list.go(this.#first);
    else if (wasAtEnd && this.#list.active < count - 1) this.#list.go(count - 1);
    this.#first = 0;
  }
}

/** What the last line of the page says of a file. */
export function fileFacts({ file, total, changes }: ShownFile): string[] {
  if (!file) return ['reading …'];
  return [
    total === undefined ? 'lines not counted' : countOf(total, 'line'),
    sizeText(file.size),
    `changed ${new Date(file.modified).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' })}`,
    ...(changes > 0 ? [`read again ${changes === 1 ? 'once' : `${changes} times`}`] : []),
  ];
}
