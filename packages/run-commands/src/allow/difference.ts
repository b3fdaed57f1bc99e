import { escapeText, quoted } from '@mcp/kit';
import type { Seen } from './record.ts';

/** Returns the lines that differ between what the operator saw (`-`) and the present content (`+`). */
export function differenceOf(before: Seen | undefined, now: Seen): string {
  const moved =
    before && before.leadsTo !== now.leadsTo
      ? `leads to ${quoted(now.leadsTo, Infinity)}, not to ${quoted(before.leadsTo, Infinity)}\n`
      : '';
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

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
