import { byId, element, LongList, type LongListRow } from '@mcp/views/dom';
import { type ChangedFile, groups } from '../model/files.ts';
import type { Sequence } from '../sequence.ts';

/** The changed files, of which the user chooses one. */
export class FilesPart {
  readonly #list: LongList;
  #files: Sequence<ChangedFile> | undefined;
  #chosen: ChangedFile | undefined;

  constructor(choose: (file: ChangedFile) => void) {
    this.#list = new LongList(byId('files'), {
      rowHeight: 26,
      draw: (index) => this.#row(index),
      want: (_, to) => this.#files?.want(to),
      choose: (index) => {
        const file = this.#files?.rows[index];
        if (file) choose(file);
      },
    });
  }

  show(files: Sequence<ChangedFile>, chosen: ChangedFile | undefined, isOther: boolean): void {
    this.#files = files;
    this.#chosen = chosen;
    const { rows, isWhole, problem } = files;
    const isOpen = !isWhole && problem === '' && rows.length > 0;
    // An equal value would leave the row as it is.
    const valueOf = (index: number) => (rows[index] === chosen ? undefined : rows[index]);
    this.#list.show(
      { count: rows.length + Number(isOpen), total: isOpen ? undefined : rows.length, valueOf },
      isOther,
    );
  }

  #row(index: number): LongListRow {
    const file = this.#files!.rows[index];
    if (!file) return { content: [element('span', { class: 'quiet' }, 'Reading more files …')] };
    const { text, letter, group } = file;
    return {
      selected: file === this.#chosen,
      content: [
        letter !== '' && element('code', { class: 'letter' }, letter),
        element('bdi', { class: 'path' }, text),
        ...countNodes(file),
        group && element('span', { class: 'quiet group' }, groups[group]),
      ],
    };
  }
}

/** How many lines a file has more and less. */
export function countNodes({ added, deleted }: ChangedFile): HTMLElement[] {
  return [
    ...(added === undefined ? [] : [element('span', { class: 'more' }, `+${added.toLocaleString('en')}`)]),
    ...(deleted === undefined
      ? []
      : [element('span', { class: 'less' }, `−${deleted.toLocaleString('en')}`)]),
  ];
}
