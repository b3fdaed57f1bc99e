import { quoted } from '@mcp/kit';
import { compileRegex } from '../compile-regex.ts';
import { lineEndingAt } from '../text/line-endings.ts';
import { TimedWorker } from '../timed-worker.ts';
import type { Replaceable } from './edit.ts';
import { NoOccurrence } from './no-occurrence.ts';
import { lineNumber } from './locate-edit.ts';
import { maxEditedLength, tooLong, wrongCount, type ReplacedOccurrences } from './replace-occurrences.ts';
import { regexReplacerMain, type ReplaceRequest, type ReplaceResponse } from './regex-replacer-main.ts';

const timeoutMs = 2000;
/**
 * Memory of the worker: enough for 10 MiB of text, its result, and the matches, which are searched twice (to
 * count and to replace).
 */
const maxMemoryMb = 512;

/** Replaces matches of regular expressions in a worker thread, which the first call starts. */
export class RegexReplacer implements AsyncDisposable {
  readonly #signal: AbortSignal | undefined;
  #worker: TimedWorker<ReplaceRequest, ReplaceResponse> | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Replaces all matches. Throws {@link NoOccurrence} if there are no matches, and another error if their
   * number is not `count`; a `count` of 0 allows any number.
   */
  async replace(text: string, { oldText, newText, count = 1 }: Replaceable): Promise<ReplacedOccurrences> {
    const { source, flags } = compileRegex(oldText, false);
    // If all line breaks are \r\n, they become \n for an expression without \r, so that ^ and $ match.
    const isUnified = !namesReturn.test(oldText) && !newText.includes('\r') && hasOnlyCrlf(text);
    const read = isUnified ? text.replaceAll('\r\n', '\n') : text;
    this.#worker ??= new TimedWorker(regexReplacerMain, { maxMemoryMb, timeoutMs });
    const worker = this.#worker;
    const run = (template: string) => {
      const request = { source, flags, text: read, template, count, maxLength: maxEditedLength };
      return worker.request(request, () => slow(oldText), this.#signal);
    };
    const isLiteral = isUnified || !newText.includes('\n') || newText.includes('\r');
    const ending = lineEndingAt(text, 0, 0);
    const isConversion = !isLiteral && namesReturn.test(oldText);
    let found = await run(isLiteral || isConversion ? newText : newText.replaceAll('\n', ending));
    // An expression with \r may be meant to convert the line breaks to \n. If the result still contains \r\n,
    // this was not meant, so the line breaks in the new text become \r\n, too.
    if (isConversion && hasOnlyCrlf(text) && found.text?.includes('\r\n'))
      found = await run(newText.replaceAll('\n', '\r\n'));
    if (found.occurrences === 0)
      throw new NoOccurrence(`The regular expression does not match: ${quoted(oldText)}`);
    if (found.tooLong) throw tooLong();
    if (found.text === undefined)
      throw new Error(
        wrongCount('The regular expression matches', read, found.starts, found.occurrences, count),
      );
    const result = isUnified ? found.text.replaceAll('\n', '\r\n') : found.text;
    if (result.length > maxEditedLength) throw tooLong();
    return { text: result, line: lineNumber(read, found.starts[0]!), occurrences: found.occurrences };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.[Symbol.asyncDispose]();
  }
}

/** Matches an expression that contains a carriage return, in any notation. */
const namesReturn = /\\r|\r|\\x0d|\\u000d|\\cM/i;

/** Whether a text has line breaks, all of them \r\n. */
function hasOnlyCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);
}

function slow(pattern: string): Error {
  return new Error(
    `The regular expression took more than 2 seconds for one file; simplify it: ${quoted(pattern)}`,
  );
}
