import { escapeText, quoted } from '@mcp/kit';
import { isInside } from '../access/why-hidden.ts';
import type { WritableDirectories } from '../access/writable-directories.ts';
import type { Seen } from './record.ts';

/** Returns the lines that differ between what the operator saw (`-`) and the present content (`+`). */
export function differenceOf(before: Seen | undefined, now: Seen): string {
  const moved = movedText(before, now);
  if (now.text === undefined || (before && before.text === undefined))
    return `${moved}its content is too long to be shown, or is not text; its sha256 is ${now.sha256}${before ? `; ${before.sha256} was allowed` : ''}`;
  const old = before?.text === undefined ? [] : linesOf(before.text);
  const lines = linesOf(now.text);
  let begin = 0;
  while (begin < Math.min(old.length, lines.length) && old[begin] === lines[begin]) begin++;
  let same = 0;
  const shorter = Math.min(old.length, lines.length) - begin;
  while (same < shorter && old.at(-1 - same) === lines.at(-1 - same)) same++;
  const changed = [
    ...old.slice(begin, old.length - same).map((line) => `-${line}`),
    ...lines.slice(begin, lines.length - same).map((line) => `+${line}`),
  ].join('\n');
  return `${moved}${before ? `line ${begin + 1}:\n` : ''}${escapeText(changed)}`;
}

/** Like `differenceOf`, for the caller of a tool: without a text that he may not see. */
export function differenceForCaller(
  before: Seen | undefined,
  now: Seen,
  writable: WritableDirectories,
): string {
  const moved = movedText(before, now);
  if (now.hidden !== undefined) return `${moved}its content is not shown here, because ${now.hidden}`;
  // A record of an earlier version does not have the reason.
  const wasHidden = before && (before.hidden !== undefined || !isInside(before.leadsTo, writable));
  return wasHidden ? `${moved}${differenceOf(undefined, now)}` : differenceOf(before, now);
}

function movedText(before: Seen | undefined, now: Seen): string {
  return before && before.leadsTo !== now.leadsTo
    ? `leads to ${quoted(now.leadsTo, Infinity)}, not to ${quoted(before.leadsTo, Infinity)}\n`
    : '';
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
