import { log } from '../commands/history/log.ts';
import type { BisectEnd, BisectStep } from '../actions/history/bisect.ts';
import type { Author } from '../queries/history/authors.ts';
import type { Repository } from '../repository.ts';
import { escapeName } from '../safe-text.ts';
import { commitLine } from './commit-text.ts';
import { countedList, countText } from './count-text.ts';

/**
 * What a step of a bisect asks for, or has found. `start` is the branch or commit to which a reset returns.
 */
export async function bisectText(repository: Repository, step: BisectStep, start: string): Promise<string> {
  const lineOf = async (hash: string) =>
    (await repository.run(log({ from: hash, max: 1 }))).map(commitLine).join('');
  const back = `the action "reset" goes back to ${escapeName(start)}`;
  if (step.kind === 'found') return `First bad commit: ${await lineOf(step.commit)}\n${back}`;
  if (step.kind === 'skipped') {
    const lines = await Promise.all(step.commits.slice(0, maxSkipped).map(lineOf));
    const found = `Only skipped commits are left; the first bad one is one of ${countText(step.commits.length, 'commit')}:`;
    return [found, ...lines, back].join('\n');
  }
  const steps = countText(Math.ceil(Math.log2(step.candidates)), 'step');
  return `Test ${await lineOf(step.commit)}\nThis commit is checked out; ${countText(step.candidates, 'commit')} can be the first bad one, about ${steps}; test it, then pass the action "good", "bad" or "skip"`;
}

const maxSkipped = 20;

/** The call that continues a bisect that was ended. */
export function bisectEndText({ bad, good }: BisectEnd): string {
  if (bad === undefined || good.length === 0) return '';
  const named = good.map((hash) => hash.slice(0, 10)).join(', ');
  return `; to continue the bisect: action "start" with good ${named} and bad ${bad.slice(0, 10)}`;
}

/** The authors, one per line, with their commits and lines. */
export function authorsText(authors: readonly Author[]): string {
  const total = authors.reduce((sum, { lines = 0 }) => sum + lines, 0);
  const lines = authors.map(({ name, email, commits, first, last, lines: owned }) => {
    const dates = `${first.slice(0, 10)} to ${last.slice(0, 10)}`;
    const own = owned === undefined ? '' : `, ${owned} of ${countText(total, 'line')}`;
    return `${escapeName(name)} <${escapeName(email)}> ${countText(commits, 'commit')}, ${dates}${own}`;
  });
  return countedList(lines, 'author');
}
