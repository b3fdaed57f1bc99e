import { compileRegex } from '../compile-regex.ts';
import { quoted } from '../display-name.ts';
import { lineEndingAt } from '../text/line-endings.ts';
import { TimedWorker } from '../timed-worker.ts';
import type { Replaceable } from './apply-edits.ts';
import { NoOccurrence } from './no-occurrence.ts';
import { lineNumber } from './locate-edit.ts';
import { maxEditedLength, tooLong, wrongCount, type ReplacedOccurrences } from './replace-occurrences.ts';
import { regexReplacerMain, type ReplaceRequest, type ReplaceResponse } from './regex-replacer-main.ts';

const timeoutMs = 2000;
/** A file of 10 MiB, its result and the matches of both passes. */
const maxMemoryMb = 512;

/** Replaces regular expressions in a worker thread, which is created for the first and terminated at the end. */
export class RegexReplacer implements AsyncDisposable {
  readonly #signal: AbortSignal | undefined;
  #worker: TimedWorker<ReplaceRequest, ReplaceResponse> | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Replaces all matches, which must be `count` unless that is 0. Throws {@link NoOccurrence} where there is none. */
  async replace(text: string, { oldText, newText, count = 1 }: Replaceable): Promise<ReplacedOccurrences> {
    if (oldText === '') throw new Error('oldText is empty');
    if (!newText.isWellFormed()) throw new Error('The edit contains a lone surrogate (invalid Unicode)');
    const { source, flags } = compileRegex(oldText, false);
    const isLiteral = !newText.includes('\n') || newText.includes('\r') || /\\r|\r/.test(oldText);
    const template = isLiteral ? newText : newText.replaceAll('\n', lineEndingAt(text, 0, 0));
    this.#worker ??= new TimedWorker(regexReplacerMain, { maxMemoryMb, timeoutMs });
    const request = { source, flags, text, template, count, maxLength: maxEditedLength };
    const found = await this.#worker.request(request, () => slow(oldText), this.#signal);
    if (found.occurrences === 0)
      throw new NoOccurrence(`The regular expression does not match: ${quoted(oldText)}`);
    if (found.tooLong) throw tooLong();
    if (found.text === undefined)
      throw new Error(
        wrongCount('The regular expression matches', text, found.starts, found.occurrences, count),
      );
    return { text: found.text, line: lineNumber(text, found.starts[0]!), occurrences: found.occurrences };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.[Symbol.asyncDispose]();
  }
}

function slow(pattern: string): Error {
  return new Error(
    `The regular expression took more than 2 seconds for one file; simplify it: ${quoted(pattern)}`,
  );
}
