/** A text, the expression to replace in it, and the limits of the result. */
export interface ReplaceRequest {
  readonly source: string;
  readonly flags: string;
  readonly text: string;
  readonly template: string;
  /** The number of matches to replace, which must be exact; 0 replaces all. */
  readonly count: number;
  readonly maxLength: number;
}

/** The new text, if the matches have the requested number; the offsets of the first ones, and their number. */
export interface ReplaceResponse {
  readonly text?: string | undefined;
  readonly tooLong?: boolean;
  readonly starts: readonly number[];
  readonly occurrences: number;
}

/** Replaces regular expressions; runs in a worker from its source text, so it must not use anything outside itself. */
export function regexReplacerMain(): void {
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const maxStarts = 11;

  function replace({ source, flags, text, template, count, maxLength }: ReplaceRequest): ReplaceResponse {
    const expression = new RegExp(source, `${flags}g`);
    const starts: number[] = [];
    let occurrences = 0;
    for (const { index } of text.matchAll(expression)) {
      occurrences++;
      if (starts.length < maxStarts) starts.push(index);
    }
    if (occurrences === 0 || (count > 0 && occurrences !== count)) return { starts, occurrences };
    // A template with $` or $' could make a text that fills the memory.
    const atMost = text.length + occurrences * template.length;
    const isLong = /\$[`'&<\d]/.test(template) && occurrences * text.length > maxLength;
    if (atMost > maxLength || (isLong && lengthOf(text, expression, template) > maxLength))
      return { tooLong: true, starts, occurrences };
    return { text: text.replace(expression, template), starts, occurrences };
  }

  /** The length of the result, each match expanded for itself. */
  function lengthOf(text: string, expression: RegExp, template: string): number {
    const uses = template.match(/\$(?:[`'&]|<|\d)/g) ?? [];
    let length = text.length;
    for (const match of text.matchAll(expression)) {
      const longestGroup = Math.max(0, ...match.map((group) => group?.length ?? 0));
      for (const use of uses) {
        const isContext = use === '$`' || use === "$'";
        length += isContext ? text.length : longestGroup;
      }
      length += template.length;
    }
    return length;
  }

  parentPort!.on('message', (request: ReplaceRequest) => parentPort!.postMessage(replace(request)));
}
