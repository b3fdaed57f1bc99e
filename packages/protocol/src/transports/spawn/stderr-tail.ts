const maxLines = 20;
const maxLength = 4_096;

/** The last lines that a server has written on its stderr. */
export class StderrTail {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-maxLength);
  }

  /** The lines, trimmed; empty without output. */
  get text(): string {
    return this.#text.trim().split('\n').slice(-maxLines).join('\n');
  }
}
