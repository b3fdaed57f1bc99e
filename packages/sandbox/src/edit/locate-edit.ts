import { NoOccurrence } from './no-occurrence.ts';
import { closestLines } from './closest-lines.ts';
import { reindent } from './indentation.ts';
import { lineNumbersHint, withoutLineNumbers } from './line-numbers.ts';
import { lineEndingAt, unifyLineEndings } from '../text/line-endings.ts';

/** The range of a text to replace, and its replacement. */
export interface EditLocation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Whether the range differs from `oldText` in white space. */
  readonly tolerant: boolean;
}

/**
 * Finds the only range that `oldText` matches: exactly, else with other line endings, else as whole lines
 * that differ only in white space. Throws if no range matches, or more than one.
 */
export function locateEdit(text: string, oldText: string, newText: string): EditLocation {
  const exact = onlyOne(text, oldText);
  if (exact !== undefined) {
    const end = exact + oldText.length;
    const literal = oldText.includes('\r') || newText.includes('\r');
    const replacement = literal ? newText : newText.replaceAll('\n', lineEndingAt(text, exact, end));
    return { start: exact, end, replacement, tolerant: false };
  }
  return findUnified(text, oldText, newText) ?? findLines(text, oldText, newText) ?? refuse(text, oldText);
}

function findUnified(text: string, oldText: string, newText: string): EditLocation | undefined {
  const unified = unifyLineEndings(text);
  const wanted = unifyLineEndings(oldText).text;
  const found = onlyOne(unified.text, wanted);
  if (found === undefined) return undefined;

  // Replaces only the part in which the old and the new text differ. The text before and after this part
  // keeps its line endings, even if they are mixed.
  const replacement = unifyLineEndings(newText).text;
  const { prefix, suffix } = commonEnds(wanted, replacement);
  const start = unified.original(found + prefix);
  const end = unified.original(found + wanted.length - suffix);
  const lineEnding = lineEndingAt(text, unified.original(found), unified.original(found + wanted.length));
  const middle = replacement.slice(prefix, replacement.length - suffix).replaceAll('\n', lineEnding);
  return { start, end, replacement: middle, tolerant: false };
}

function findLines(text: string, oldText: string, newText: string): EditLocation | undefined {
  const wanted = linesOf(oldText);
  const words = wanted.map(({ start, end }) => collapseSpaces(oldText.slice(start, end).trim()));
  if (!words.some(Boolean)) return undefined;
  const lines = linesOf(text);
  const isThere = (at: number) =>
    words.every((word, index) => {
      const { start, end } = lines[at + index]!;
      const line = text.slice(start, end).trim();
      return line[0] === word[0] && collapseSpaces(line) === word;
    });
  const found: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at++) if (isThere(at)) found.push(at);
  if (found.length > 1)
    throw ambiguous(
      found.map((at) => at + 1),
      'apart from white space',
    );
  if (found[0] === undefined) return undefined;

  const first = lines[found[0]]!;
  const last = lines[found[0] + wanted.length - 1]!;
  const wholeLines = /[\r\n]$/.test(oldText);
  const end = wholeLines ? last.next : last.end;
  const pairs = words.flatMap((word, index) =>
    word
      ? [{ given: indentOf(oldText, wanted[index]!), actual: indentOf(text, lines[found[0]! + index]!) }]
      : [],
  );
  const indented = reindent(newText, oldText, pairs, text);
  const replacement = wholeLines && last.next === last.end ? indented.replace(/(\r\n?|\n)$/, '') : indented;
  const lineEnding = lineEndingAt(text, first.start, end);
  return {
    start: first.start,
    end,
    replacement: replacement.replace(/\r\n?|\n/g, lineEnding),
    tolerant: true,
  };
}

interface Line {
  readonly start: number;
  /** The offset at which the line break begins. */
  readonly end: number;
  /** The offset at which the next line begins. */
  readonly next: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n?|\n/g)) {
    const next = index + lineBreak.length;
    lines.push({ start, end: index, next });
    start = next;
  }
  if (start < text.length) lines.push({ start, end: text.length, next: text.length });
  return lines;
}

function collapseSpaces(line: string): string {
  return line.replace(/\s+/g, ' ');
}

function indentOf(text: string, { start, end }: Line): string {
  const line = text.slice(start, end);
  return line.slice(0, line.length - line.trimStart().length);
}

function onlyOne(text: string, wanted: string): number | undefined {
  const first = text.indexOf(wanted);
  if (first < 0) return undefined;
  const found = [first];
  for (
    let at = text.indexOf(wanted, first + 1);
    at >= 0 && found.length < 10;
    at = text.indexOf(wanted, at + 1)
  ) {
    found.push(at);
  }
  if (found.length > 1) throw ambiguous(found.map((at) => lineNumber(text, at)));
  return first;
}

function ambiguous(lines: number[], how = ''): Error {
  const numbers = [...new Set(lines)];
  const where = `${numbers.length > 1 ? 'lines' : 'line'} ${numbers.slice(0, 10).join(', ')}`;
  const times = lines.length < 10 ? `${lines.length} times` : '10 times or more';
  return new Error(
    `oldText occurs ${times}${how && `, ${how},`} at ${where}; add the lines around it to oldText until it is unique`,
  );
}

function refuse(text: string, oldText: string): never {
  const unnumbered = withoutLineNumbers(oldText);
  const hint = unnumbered === undefined ? '' : lineNumbersHint;
  const nearest = closestLines(text.split(/\r\n?|\n/), unnumbered ?? oldText);
  const where = nearest.map(({ number, line }) => `\n  line ${number}: ${line}`).join('');
  throw new NoOccurrence(`oldText does not occur${hint}${where && `; the most similar lines are:${where}`}`);
}

/** Returns the number, from 1, of the line that contains an offset. */
export function lineNumber(text: string, position: number): number {
  let number = 1;
  for (const { index } of text.matchAll(/\r\n?|\n/g)) {
    if (index >= position) break;
    number++;
  }
  return number;
}

function commonEnds(a: string, b: string): { prefix: number; suffix: number } {
  const length = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < length && a[prefix] === b[prefix]) prefix++;
  let suffix = 0;
  while (suffix < length - prefix && a[a.length - 1 - suffix] === b[b.length - 1 - suffix]) suffix++;
  return { prefix, suffix };
}
