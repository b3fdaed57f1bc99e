import { byId, codeNode, element, LongList, type LongListRow, overflowOf, probeNode } from '@mcp/views/dom';
import { columnsOf, languageOf } from '@mcp/views/model';
import { ageOf, type BlamedLine, isUncommitted } from '../model/blame.ts';
import type { Sequence } from '../sequence.ts';

export interface Blame {
  readonly path: string;
  readonly title: string;
  readonly lines: Sequence<BlamedLine>;
}

/** The lines of a file, with the commits that last changed them. */
export class BlamePart {
  readonly #part = byId('lines');
  readonly #list: LongList;
  #blame: Blame | undefined;
  #longest = 0;
  #measured = 0;
  #generation = 0;

  constructor(choose: (line: BlamedLine) => void) {
    this.#part.append(probeNode());
    this.#list = new LongList(this.#part, {
      rowHeight: 20,
      draw: (index) => this.#row(index),
      want: (_, to) => this.#blame?.lines.want(to + 100),
      overflow: () => overflowOf(this.#part, this.#longest),
      choose: (index) => {
        const line = this.#blame?.lines.rows[index];
        if (line && !isUncommitted(line)) choose(line);
      },
      pressed: ({ key }) => {
        if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
        this.#part.scrollLeft += key === 'ArrowLeft' ? -60 : 60;
        return true;
      },
    });
  }

  show(blame: Blame): void {
    this.#blame = blame;
    const { rows, isWhole, problem, generation } = blame.lines;
    const isOther = generation !== this.#generation;
    if (isOther) this.#longest = this.#measured = 0;
    this.#generation = generation;
    for (; this.#measured < rows.length; this.#measured++)
      this.#longest = Math.max(this.#longest, columnsOf(rows[this.#measured]!.text));
    byId('blamed').textContent = blame.title;
    const isOpen = !isWhole && problem === '' && rows.length > 0;
    const valueOf = (index: number) => rows[index];
    this.#list.show(
      { count: rows.length + Number(isOpen), total: isOpen ? undefined : rows.length, valueOf },
      isOther,
    );
  }

  #row(index: number): LongListRow {
    const line = this.#blame!.lines.rows[index];
    if (!line) return { content: [element('span', { class: 'quiet' }, 'Reading more lines …')] };
    const { isFirst, author, date, subject, hash, text } = line;
    const isOwn = isUncommitted(line);
    const commit = isFirst
      ? [
          element('bdi', { class: 'author', title: subject }, isOwn ? 'Not committed' : author),
          element('time', {}, isOwn ? '' : date.slice(0, 10)),
          element('code', { class: 'hash' }, isOwn ? '' : hash.slice(0, 7)),
        ]
      : [];
    return {
      class: isFirst ? 'first' : '',
      content: [
        element('span', { class: `commit quiet age-${ageOf(date, Date.now())}` }, ...commit),
        element('span', { class: 'number' }, String(line.line)),
        codeNode(text, languageOf(this.#blame!.path)),
      ],
    };
  }
}
