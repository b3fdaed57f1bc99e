import {
  type Block,
  type BlockTag,
  blockTags,
  type ParameterTag,
  parameterTags,
  type RefusedBlock,
} from './block.ts';
import { JsonEnd } from './json-end.ts';

/** Maximum number of characters of a block. A longer block is refused, and not kept in memory. */
const maxBlockLength = 4 * 1024 * 1024;

const closingArguments = '</arguments>';

const maxOpeningLength = Math.max(...blockTags.map((tag) => tag.length)) + 2;

/** Matches any known tag, to find out cheaply whether text that has arrived must be searched for blocks. */
const anyTag = new RegExp(`</?(?:${[...blockTags, ...parameterTags].join('|')})>`);

const maxTagLength = Math.max(...[...blockTags, ...parameterTags].map((tag) => tag.length)) + 3;

/**
 * The parameter whose opening tag was read and whose value has not ended yet. Its value begins at `from`; the
 * search for its end continues at `at`.
 */
interface OpenParameter {
  readonly tag: ParameterTag;
  readonly from: number;
  at: number;
  /**
   * The JSON object at the start of the value; null if the value begins with something else, undefined if
   * only white space of the value has arrived.
   */
  json: { readonly start: number; readonly end: JsonEnd } | null | undefined;
}

/**
 * Finds `<use_mcp_tool>` and `<access_mcp_resource>` blocks in text that arrives in pieces. The format is not
 * XML: tags are matched literally, and values have no escapes. The value of `arguments` ends after a complete
 * JSON object, so a closing tag inside one of its strings does not end it. Other values end at their first
 * closing tag. If `</arguments>` is missing, the value ends with its block.
 */
export class BlockScanner {
  /** The text from the start of the open block; if no block is open, the end of the searched text. */
  #text = '';
  /** Pieces not appended to `#text` yet: appending each to a long text would take quadratic time. */
  #pieces: string[] = [];
  #piecesLength = 0;
  /** The last characters of the text so far: a tag may begin in them and continue in the next piece. */
  #tail = '';
  /** The number of characters of the stream before `#text`. */
  #offset = 0;
  #tag: BlockTag | undefined;
  #at = 0;
  #values: Partial<Record<ParameterTag, string>> = {};
  #parameter: OpenParameter | undefined;

  /** Adds a piece of text, and yields the blocks that it completes. */
  *push(text: string): Generator<Block | RefusedBlock> {
    this.#pieces.push(text);
    this.#piecesLength += text.length;
    const recent = this.#tail + text;
    this.#tail = recent.slice(-maxTagLength);
    const json = this.#parameter?.json?.end;
    const waits = json ? json.read(text) === 'incomplete' : !anyTag.test(recent);
    if (waits && this.#piecesLength <= maxBlockLength) return;
    this.#join();
    yield* this.#scan(false);
  }

  /** Yields the remaining blocks when the text has ended; a block without its closing tag is refused. */
  *end(): Generator<Block | RefusedBlock> {
    this.#join();
    yield* this.#scan(true);
    if (this.#tag) yield this.#refuse(`Not executed: the closing tag </${this.#tag}> is missing`);
    this.#close(this.#text.length);
  }

  #join() {
    this.#text += this.#pieces.join('');
    this.#pieces = [];
    this.#piecesLength = 0;
  }

  *#scan(ended: boolean): Generator<Block | RefusedBlock> {
    for (;;) {
      if (!this.#tag && !this.#open()) return;
      if (this.#parameter && !this.#readValue(this.#parameter, ended)) {
        if (this.#text.length <= maxBlockLength) return;
        yield this.#refuse(`Not executed: longer than ${maxBlockLength} characters`);
        this.#close(this.#text.length);
        continue;
      }
      const tag = this.#nextTag();
      if (tag === undefined) return;
      if (tag.closing) {
        yield { kind: 'block', tag: this.#tag!, offset: this.#offset, values: this.#values };
        this.#close(tag.end);
      } else if (tag.parameter) {
        this.#parameter = { tag: tag.parameter, from: tag.end, at: tag.end, json: undefined };
      } else {
        yield this.#refuse(`Not executed: another block begins before the closing tag </${this.#tag!}>`);
        this.#close(tag.start);
      }
    }
  }

  /** Moves to the start of the next block. Returns false if there is none yet. */
  #open(): boolean {
    const found = blockTags
      .map((tag) => ({ tag, start: this.#text.indexOf(`<${tag}>`) }))
      .filter(({ start }) => start !== -1)
      .toSorted((a, b) => a.start - b.start)[0];
    if (!found) {
      // The end of the text may be the beginning of an opening tag, so it is kept.
      this.#drop(Math.max(0, this.#text.length - maxOpeningLength));
      return false;
    }
    this.#drop(found.start);
    this.#tag = found.tag;
    this.#at = found.tag.length + 2;
    return true;
  }

  #drop(count: number) {
    this.#text = this.#text.slice(count);
    this.#offset += count;
  }

  #close(end: number) {
    this.#drop(end);
    this.#tag = undefined;
    this.#parameter = undefined;
    this.#values = {};
    this.#at = 0;
  }

  #refuse(reason: string): RefusedBlock {
    return { kind: 'refused', tag: this.#tag!, offset: this.#offset, reason };
  }

  /** The next known tag after a parameter; undefined if it has not arrived yet. */
  #nextTag(): { start: number; end: number; parameter?: ParameterTag; closing?: boolean } | undefined {
    for (;;) {
      const start = this.#text.indexOf('<', this.#at);
      if (start === -1) {
        this.#at = this.#text.length;
        return undefined;
      }
      this.#at = start;
      const closing = `</${this.#tag!}>`;
      if (this.#text.startsWith(closing, start)) return { start, end: start + closing.length, closing: true };
      const parameter = parameterTags.find((tag) => this.#text.startsWith(`<${tag}>`, start));
      if (parameter) return { start, end: start + parameter.length + 2, parameter };
      if (blockTags.some((tag) => this.#text.startsWith(`<${tag}>`, start))) return { start, end: start };
      // This may be the beginning of a known tag, the rest of which has not arrived.
      if (this.#text.length - start < maxOpeningLength + 1 && !this.#text.includes('>', start))
        return undefined;
      this.#at = start + 1;
    }
  }

  /** Reads the value of a parameter. Returns false if its end has not arrived. */
  #readValue(parameter: OpenParameter, ended: boolean): boolean {
    const end =
      parameter.tag === 'arguments' ? this.#endOfArguments(parameter, ended) : this.#closingTag(parameter);
    if (end === undefined) return false;
    this.#values[parameter.tag] = this.#text.slice(parameter.from, end).trim();
    const closing = `</${parameter.tag}>`;
    this.#at = this.#text.startsWith(closing, end) ? end + closing.length : end;
    this.#parameter = undefined;
    return true;
  }

  #closingTag(parameter: OpenParameter): number | undefined {
    const closing = `</${parameter.tag}>`;
    const found = this.#text.indexOf(closing, parameter.at);
    if (found !== -1) return found;
    parameter.at = Math.max(parameter.from, this.#text.length - closing.length);
    return undefined;
  }

  #endOfArguments(parameter: OpenParameter, ended: boolean): number | undefined {
    if (parameter.json === undefined) parameter.json = this.#startOfJson(parameter);
    if (!parameter.json) return ended || parameter.json === null ? this.#closingTag(parameter) : undefined;
    const { start, end } = parameter.json;
    const state = end.read('');
    if (state === 'incomplete' && !ended) return undefined;
    if (state === 'complete') {
      parameter.at = Math.max(parameter.at, start + end.length);
      this.#skipSpace(parameter);
      const closings = [closingArguments, `</${this.#tag!}>`];
      if (closings.some((each) => this.#text.startsWith(each, parameter.at))) return parameter.at;
      // This may be the beginning of a closing tag, the rest of which has not arrived.
      const rest = this.#text.slice(parameter.at, parameter.at + maxTagLength);
      if (closings.some((each) => each.startsWith(rest)) && !ended) return undefined;
    }
    const found = this.#closingTag(parameter);
    return found === undefined && !ended ? undefined : this.#endWithBlock(parameter, found);
  }

  /**
   * The end of a value that has no valid JSON: the closing tag of `arguments` at `found`. But if this block
   * ends before `found`, and another block begins in between, the tag at `found` belongs to the other block.
   * Then the value ends at the end of this block.
   */
  #endWithBlock({ from }: OpenParameter, found: number | undefined): number | undefined {
    const end = this.#text.indexOf(`</${this.#tag!}>`, from);
    if (end === -1 || (found !== undefined && found < end)) return found;
    const between = this.#text.slice(end, found);
    const isNext = blockTags.some((tag) => between.includes(`<${tag}>`));
    return found === undefined || isNext ? end : found;
  }

  #startOfJson(parameter: OpenParameter): OpenParameter['json'] {
    this.#skipSpace(parameter);
    if (parameter.at === this.#text.length) return undefined;
    if (this.#text[parameter.at] !== '{') return null;
    const end = new JsonEnd();
    end.read(this.#text.slice(parameter.at));
    return { start: parameter.at, end };
  }

  #skipSpace(parameter: OpenParameter) {
    while (parameter.at < this.#text.length && /\s/.test(this.#text[parameter.at]!)) parameter.at++;
  }
}
