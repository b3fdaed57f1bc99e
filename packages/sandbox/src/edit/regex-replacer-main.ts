/** A text, the expression to replace in it, and the limits of the result. */
export interface ReplaceRequest {
  readonly source: string;
  readonly flags: string;
  readonly text: string;
  readonly template: string;
  /** The number of matches that there must be; all are replaced. 0 allows any number. */
  readonly count: number;
  readonly maxLength: number;
}

/**
 * The offsets of the first matches, the number of all matches and, if `count` allows this number, the new
 * text.
 */
export interface ReplaceResponse {
  readonly text?: string | undefined;
  readonly tooLong?: boolean;
  readonly starts: readonly number[];
  readonly occurrences: number;
}

/** A worker runs this function from its source text, so the function must not use anything outside itself. */
export function regexReplacerMain(): void {
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const maxStarts = 11;

  function replace({ source, flags, text, template, count, maxLength }: ReplaceRequest): ReplaceResponse {
    const expression = new RegExp(source, `${flags}g`);
    const starts: number[] = [];
    const skipped = new Set<number>();
    let occurrences = 0;
    for (const { 0: match, index } of text.matchAll(expression)) {
      if (match === '' && isNoLine(text, index, occurrences)) {
        skipped.add(index);
        continue;
      }
      occurrences++;
      if (starts.length < maxStarts) starts.push(index);
    }
    if (occurrences === 0 || (count > 0 && occurrences !== count)) return { starts, occurrences };
    // Each $` or $' in the template inserts a part of the whole text, so the result could fill the memory.
    const atMost = text.length + occurrences * template.length;
    const isLong = /\$[`'&<\d]/.test(template) && occurrences * text.length > maxLength;
    if (atMost > maxLength || (isLong && lengthOf(text, expression, template) > maxLength))
      return { tooLong: true, starts, occurrences };
    if (skipped.size === 0) return { text: text.replace(expression, template), starts, occurrences };
    const replaced = text.replace(expression, (...match: unknown[]) => {
      const hasNames = typeof match.at(-1) === 'object';
      const at = match.at(hasNames ? -3 : -2) as number;
      return match[0] === '' && skipped.has(at) ? '' : expanded(template, match, at, hasNames, text);
    });
    return { text: replaced, starts, occurrences };
  }

  /** Whether an empty match is where no line begins or ends: inside \r\n, or after the last line break. */
  function isNoLine(text: string, at: number, occurrences: number): boolean {
    if (text[at - 1] === '\r' && text[at] === '\n') return true;
    return at === text.length && occurrences > 0 && /[\r\n]/.test(text[at - 1] ?? '');
  }

  /** Returns the template with the groups of a match inserted, as `String.replace` does. */
  function expanded(
    template: string,
    match: readonly unknown[],
    at: number,
    hasNames: boolean,
    text: string,
  ): string {
    const groups = match.slice(1, hasNames ? -3 : -2) as (string | undefined)[];
    const named = (hasNames ? match.at(-1) : undefined) as Record<string, string | undefined> | undefined;
    const whole = match[0] as string;
    const signs: Record<string, string> = {
      $: '$',
      '&': whole,
      '`': text.slice(0, at),
      "'": text.slice(at + whole.length),
    };
    return template.replace(
      /\$(?:([$&`'])|(\d\d?)|<([^>]*)>)/g,
      (use: string, sign?: string, digits: string = '', name?: string) => {
        if (sign !== undefined) return signs[sign]!;
        if (name !== undefined) return named ? (named[name] ?? '') : use;
        for (const number of [digits, digits.slice(0, 1)])
          if (Number(number) >= 1 && Number(number) <= groups.length)
            return (groups[Number(number) - 1] ?? '') + digits.slice(number.length);
        return use;
      },
    );
  }

  /** Returns an upper bound of the length of the result, computed from the groups of each match. */
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
