import { peakMemoryMb, stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import type { Trial } from '../../trial.ts';
import { cyanheads, largeRepository, longRepository, ours } from './git-repository.ts';

let large = '';
let long = '';
let longest = '';

export const gitLarge: Trial = {
  name: 'git-large',
  about:
    'Peak memory after 20 pages of a diff of 60 MB, and after all pages of a log of 100,000 commits; ' +
    'a page of a log of 1,000,000; ' +
    'who has no pages sends the diff whole',
  implementations: { ours, '@cyanheads/git-mcp-server': cyanheads },
  columns: ['diff MB', 'first page ms', 'log MB', 'whole log s', 'page of a million ms'],
  runs: 3,

  async prepare() {
    large = largeRepository();
    long = longRepository(100_000);
    longest = longRepository(1_000_000);
  },

  async measure(program) {
    if (program === cyanheads) return measureWhole();
    const diff = new Conversation(program, [large]);
    let started = performance.now();
    let firstMs = 0;
    let cursor: string | undefined;
    for (let page = 0; page < 20; page++) {
      const { content } = await diff.call('git_diff_unstaged', cursor === undefined ? {} : { cursor });
      firstMs ||= performance.now() - started;
      cursor = /cursor "(.*)"$/.exec(content[0]?.text ?? '')?.[1];
      if (cursor === undefined) throw new Error('The diff has ended too early');
    }
    const diffMb = peakMemoryMb(diff.process);
    await stop(diff.process);

    const log = new Conversation(program, [long]);
    started = performance.now();
    cursor = undefined;
    do {
      const { content }: Awaited<ReturnType<Conversation['call']>> = await log.call('git_log', {
        max_count: 1_000,
        ...(cursor !== undefined && { cursor }),
      });
      cursor = /cursor "(.*)"$/.exec(content[0]?.text ?? '')?.[1];
    } while (cursor !== undefined);
    const seconds = (performance.now() - started) / 1_000;
    const logMb = peakMemoryMb(log.process);
    await stop(log.process);

    const million = new Conversation(program, [longest]);
    await million.call('git_log', { max_count: 1 });
    started = performance.now();
    await million.call('git_log', { max_count: 50 });
    const pageMs = performance.now() - started;
    await stop(million.process);
    return [diffMb, firstMs, logMb, seconds, pageMs];
  },
  goals: [
    { column: 'diff MB', of: 'ours', atMost: 120 },
    { column: 'log MB', of: 'ours', atMost: 150 },
    { column: 'page of a million ms', of: 'ours', atMost: 50 },
  ],
};

async function measureWhole(): Promise<readonly number[]> {
  const diff = new Conversation(cyanheads, []);
  await diff.call('git_set_working_dir', { path: large });
  const started = performance.now();
  await diff.call('git_diff', {});
  const ms = performance.now() - started;
  const diffMb = peakMemoryMb(diff.process);
  await stop(diff.process);
  return [diffMb, ms, Number.NaN, Number.NaN, Number.NaN];
}
