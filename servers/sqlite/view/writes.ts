import { escapedText } from '@mcp/views/model';
import type { Write } from './dom/write.ts';
import { writeArguments, type WriteFacts } from './model/write.ts';
import { messageOf } from './result-reader.ts';

type Arguments = { readonly [name: string]: unknown };

/** Calls `write`. Rejects with an `Error` for the user. */
export type CallWrite = (
  args: Arguments,
) => Promise<{ readonly facts: WriteFacts | undefined; readonly text: string }>;

/** The call of `write` that shows the view, and those that the user has confirmed in it. */
export class Writes {
  readonly #write: CallWrite;
  readonly #changed: () => void;
  #asked: Arguments = {};
  all: readonly Write[] = [];

  constructor(write: CallWrite, changed: () => void) {
    this.#write = write;
    this.#changed = changed;
  }

  /** A call of the model has begun. */
  begin(statements: readonly string[], args: Arguments): void {
    this.#asked = args;
    this.all = [newWrite('Write', statements)];
  }

  change(index: number, change: Partial<Write>): void {
    this.all = this.all.with(index, { ...this.all[index]!, ...change });
    this.#changed();
  }

  /** Undoes a write, or runs the statements of a dry run, after the user has confirmed that. */
  async confirm(index: number): Promise<void> {
    const { facts, statements, asks } = this.all[index]!;
    const isUndo = asks === 'undo';
    const next = isUndo ? facts!.undo : statements;
    const { dry_run: _, ...asked } = this.#asked;
    const args = isUndo ? writeArguments(next, asked['database'] ?? asked['db']) : asked;
    const last = this.all.length;
    this.all = [...this.all, newWrite(isUndo ? 'Undo' : 'Write', next)];
    this.change(index, { asks: undefined, isDone: true });
    try {
      this.change(last, await this.#write(args));
    } catch (error) {
      this.change(last, { text: escapedText(messageOf(error), 2_000), isRefused: true });
      this.change(index, { isDone: false });
    }
  }
}

function newWrite(title: string, statements: readonly string[]): Write {
  return { title, statements, facts: undefined, text: '', isRefused: false, asks: undefined, isDone: false };
}
