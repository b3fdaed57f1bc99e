import type { MatchPosition, SearchResult } from '@mcp/sandbox';
import type * as z from 'zod';
import type { linesSchema } from './output-schemas.ts';
import { listedName } from './listed-name.ts';

type File = SearchResult['files'][number];

/** The matching lines that fit on a page, as one block of text for each file. */
export class PageOfLines {
  readonly blocks: string[] = [];
  /** The same lines as structured content. */
  readonly files: z.infer<typeof linesSchema>['files'] = [];
  /** The number of matching lines, and the last one of them. */
  matches = 0;
  last: MatchPosition | undefined;
  #room: number;
  readonly #isContext: boolean;

  /** @param isContext whether there are lines around the matches */
  constructor(room: number, isContext: boolean) {
    this.#room = room;
    this.#isContext = isContext;
  }

  /**
   * Adds matches of a file as far as they fit; the first match of the page is added in any case. Returns
   * whether all matches of the file were added.
   */
  add({ path, shown, lines }: File, symbolOf: (line: number) => string = () => ''): boolean {
    const name = listedName(shown);
    const printed = [name];
    const listed: NonNullable<PageOfLines['files'][number]['lines']> = [];
    this.#room -= name.length + 2;
    let previous = lines[0]!.number - 1;
    let around = '';
    let left = lines.filter(({ matches }) => matches).length;
    const all = left;
    for (const { number, text, matches } of lines) {
      const gap = this.#isContext && number > previous + 1 ? ['--'] : [];
      const symbol = matches ? symbolOf(number) : around;
      const heading = symbol === around ? [] : [`@ ${symbol || 'outside'}`];
      const next = [...gap, ...heading, `${number}${matches ? '' : '-'}\t${text}`];
      this.#room -= next.join('\n').length + 1;
      if (this.#room < 0 && this.matches > 0) break;
      printed.push(...next);
      listed.push({ number, text, isMatch: matches, ...(symbol && { symbol }) });
      previous = number;
      around = symbol;
      if (!matches) continue;
      this.matches++;
      left--;
      this.last = { path, line: number };
    }
    if (left < all) {
      this.blocks.push(printed.join('\n'));
      this.files.push({ path, count: all - left, lines: listed });
    }
    return left === 0;
  }
}
