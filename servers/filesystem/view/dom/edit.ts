import {
  byId,
  codeNode,
  element,
  LongList,
  type LongListRow,
  overflowOf,
  probeNode,
  region,
  signNode,
} from '@mcp/views/dom';
import { columnsOf, languageOf } from '@mcp/views/model';
import type { EditRow, EditState, EditText } from '../model/edit.ts';

export interface ShownEdit {
  readonly edit: EditText;
  readonly state: EditState;
  readonly said: string;
  readonly generation: number;
}

interface EditEvents {
  readonly accept: () => void;
  readonly reject: () => void;
  /** The user wants to see what the edit would change now. */
  readonly again: () => void;
}

const titles: Readonly<Record<EditState, string>> = {
  proposed: 'Make this edit?',
  busy: 'Make this edit?',
  accepted: 'The edit was made',
  rejected: 'The edit was rejected; nothing was written',
  refused: 'The edit was not made',
  made: 'The edit was made',
};

/** The diff of an edit, which the user accepts or rejects if it was not made yet. */
export class EditPart {
  readonly #part = byId('diff');
  readonly #list: LongList;
  readonly #actions;
  #shown: ShownEdit | undefined;
  #longest = 0;

  constructor({ accept, reject, again }: EditEvents) {
    const button = (kind: string, text: string, act: () => void, isOff: boolean) => {
      const made = element('button', { type: 'button', class: kind, disabled: isOff }, text);
      made.addEventListener('click', act);
      return made;
    };
    this.#actions = region(
      byId('actions'),
      ({ state, canAccept }: { state: EditState; canAccept: boolean }) => {
        if (state === 'refused') return [button('plain', 'Show the edit again', again, false)];
        if (state !== 'proposed' && state !== 'busy') return [];
        const isBusy = state === 'busy';
        return [
          canAccept && button('strong', 'Accept', accept, isBusy),
          button('plain', 'Reject', reject, isBusy),
        ];
      },
    );
    this.#part.append(probeNode());
    this.#list = new LongList(this.#part, {
      rowHeight: 20,
      draw: (index) => rowOf(this.#shown!.edit.rows[index]!),
      overflow: () => overflowOf(this.#part, this.#longest),
      pressed: ({ key }) => {
        if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
        this.#part.scrollLeft += key === 'ArrowLeft' ? -60 : 60;
        return true;
      },
    });
  }

  show(shown: ShownEdit): void {
    const { edit, state, said, generation } = shown;
    const isOther = this.#shown?.generation !== generation;
    this.#shown = shown;
    if (isOther) this.#longest = edit.rows.reduce((most, { text }) => Math.max(most, columnsOf(text)), 0);
    byId('title').textContent = titles[state];
    this.#actions({ state, canAccept: edit.hash !== undefined && !edit.isCut });
    const part = byId('said');
    part.textContent = [edit.isCut ? 'The diff is too long to be shown whole' : '', said]
      .filter(Boolean)
      .join('\n');
    part.className = state === 'refused' ? 'problem' : '';
    const { rows } = edit;
    const valueOf = (index: number) => rows[index];
    this.#list.show({ count: rows.length, total: rows.length, valueOf }, isOther);
  }
}

function rowOf({ kind, old, new: added, text, path }: EditRow): LongListRow {
  if (kind === '#') return { class: 'hunk file-name', content: [element('bdi', {}, text)] };
  if (kind === '@') return { class: 'hunk', content: [element('bdi', {}, text)] };
  if (kind === '\\') return { class: 'note', content: [element('bdi', { class: 'quiet' }, text)] };
  const side = kind === '-' ? 'removed' : kind === '+' ? 'added' : '';
  const number = (line: number) => element('span', { class: 'number' }, line === 0 ? '' : String(line));
  return {
    content: [
      element(
        'span',
        { class: `side ${side}` },
        number(old),
        number(added),
        signNode(side),
        codeNode(text, languageOf(path)),
      ),
    ],
  };
}
