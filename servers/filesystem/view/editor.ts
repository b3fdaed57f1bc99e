import { messageOf } from '@mcp/views/model';
import { editOf, type EditState, type EditText } from './model/edit.ts';

type Arguments = { readonly [name: string]: unknown };

/** Calls `edit_file`, and returns the text of the answer. Rejects with an `Error` for the user. */
export type Edit = (args: Arguments) => Promise<string>;

/** So many characters of a diff are asked for, if the first answer has cut it. */
const maxDiff = 1_000_000;

/** An edit that the user sees before it is made. */
export class Editor {
  readonly #call: Edit;
  readonly #changed: () => void;
  readonly #decided: (what: string) => void;
  #args: Arguments = {};
  edit: EditText | undefined;
  state: EditState = 'proposed';
  said = '';
  generation = 0;

  /** `decided` gets what the user has decided, in a sentence for the model. */
  constructor(call: Edit, changed: () => void, decided: (what: string) => void) {
    this.#call = call;
    this.#changed = changed;
    this.#decided = decided;
  }

  /** Shows the answer to a call of `edit_file` with these arguments. */
  async open(args: Arguments, text: string): Promise<void> {
    const { dryRun, expectedHash: _, maxDiff: __, ...rest } = args;
    this.#args = rest;
    this.#show(editOf(text), dryRun === true ? 'proposed' : 'made');
    if (this.state === 'proposed' && this.edit!.isCut && this.edit!.hash)
      await this.#preview(this.edit!.hash);
  }

  /** Makes exactly the edit that is shown. The server refuses it if a file is no longer the same. */
  async accept(): Promise<void> {
    const { hash } = this.edit!;
    this.#set('busy', '');
    try {
      const { notes } = editOf(await this.#call({ ...this.#args, expectedHash: hash }));
      this.#set('accepted', notes);
      this.#decided('The user accepted the edit of the dry run, and it was made: do not make it again.');
    } catch (error) {
      this.#set('refused', messageOf(error));
    }
  }

  reject(): void {
    this.#set('rejected', '');
    this.#decided('The user rejected the edit of the dry run; nothing was written.');
  }

  /** Shows what the same edit would change now. */
  async again(): Promise<void> {
    await this.#preview();
  }

  /** With `hash`, only if no file has changed since. */
  async #preview(hash?: string): Promise<void> {
    try {
      const expected = hash !== undefined && { expectedHash: hash };
      this.#show(editOf(await this.#call({ ...this.#args, ...expected, dryRun: true, maxDiff })), 'proposed');
    } catch (error) {
      this.#set('refused', messageOf(error));
    }
  }

  #show(edit: EditText, state: EditState): void {
    this.edit = edit;
    this.generation++;
    this.#set(state, edit.notes);
  }

  #set(state: EditState, said: string): void {
    this.state = state;
    this.said = said;
    this.#changed();
  }
}
