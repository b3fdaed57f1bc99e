import type { Output } from '../terminal/output.ts';

/** Cuts texts that are longer than the rest of a number of characters. */
export class TextLimit {
  #left: number;
  #cut = 0;

  constructor(maxChars: number) {
    this.#left = maxChars;
  }

  /** The text, cut between two characters if it is too long. */
  cut(text: string): string {
    if (text.length <= this.#left) {
      this.#left -= text.length;
      return text;
    }
    const isInside = /[\uD800-\uDBFF]/.test(text[this.#left - 1] ?? '');
    const kept = text.slice(0, isInside ? this.#left - 1 : this.#left);
    this.#cut += text.length - kept.length;
    this.#left = 0;
    return kept;
  }

  /** Says on stderr how many characters were left out. */
  note(output: Output): void {
    if (this.#cut > 0) output.note(`${this.#cut} more characters: --max-chars`, 'dim');
  }
}
