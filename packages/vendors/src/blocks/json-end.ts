/** The state of a JSON object of which a part has been read. */
export type JsonState = 'incomplete' | 'complete' | 'broken';

/**
 * Finds where a JSON object ends, in text that arrives in pieces: brackets are balanced, strings are skipped.
 */
export class JsonEnd {
  #open: string[] = [];
  #inString = false;
  #escaped = false;
  #length = 0;
  #state: JsonState = 'incomplete';

  /** How many characters were read; once it is complete, the length of the object. */
  get length(): number {
    return this.#length;
  }

  /** Reads a piece; the first begins with the opening brace. */
  read(piece: string): JsonState {
    for (let at = 0; at < piece.length && this.#state === 'incomplete'; at++) {
      this.#state = this.#inString ? this.#readInString(piece[at]!) : this.#readOutside(piece[at]!);
      this.#length++;
    }
    return this.#state;
  }

  #readInString(character: string): JsonState {
    // JSON allows no line breaks in strings: a quote is missing, or the model forgot to escape.
    if (character < ' ') return 'broken';
    if (this.#escaped) this.#escaped = false;
    else if (character === '\\') this.#escaped = true;
    else if (character === '"') this.#inString = false;
    return 'incomplete';
  }

  #readOutside(character: string): JsonState {
    switch (character) {
      case '"':
        this.#inString = true;
        break;
      case '{':
      case '[':
        this.#open.push(character === '{' ? '}' : ']');
        break;
      case '}':
      case ']':
        if (this.#open.pop() !== character) return 'broken';
        break;
      default:
        if (!/[\s:,\w.+-]/.test(character)) return 'broken';
    }
    return this.#open.length === 0 ? 'complete' : 'incomplete';
  }
}
