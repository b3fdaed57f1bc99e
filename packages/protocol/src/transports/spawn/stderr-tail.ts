const maxLines = 20;
const maxLength = 4_096;

/** The last lines that a server has written to its stderr: at most 20, and 4,096 characters. */
export class StderrTail {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-maxLength);
  }

  /** The last lines without white space around them; empty if there was no output. */
  get text(): string {
    return this.#text.trim().split('\n').slice(-maxLines).join('\n');
  }
}
