/** The state of a JSON object that is being read. */
export type JsonState = 'incomplete' | 'complete' | 'broken';

/** Finds the end of a JSON object in text that arrives in pieces, by counting brackets outside of strings. */
export class JsonEnd {
  #open: string[] = [];
  #inString = false;
  #escaped = false;
  #length = 0;
  #state: JsonState = 'incomplete';

  /** The number of characters read so far; when the object is complete, its length. */
  get length(): number {
    return this.#length;
  }

  /** Reads the next piece of text. The first piece must begin with the opening brace. */
  read(piece: string): JsonState {
    for (let at = 0; at < piece.length && this.#state === 'incomplete'; at++) {
      this.#state = this.#inString ? this.#readInString(piece[at]!) : this.#readOutside(piece[at]!);
      this.#length++;
    }
    return this.#state;
  }

  #readInString(character: string): JsonState {
    // A JSON string cannot contain a line break: its closing quote is missing, or the line break is not
    // escaped.
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
