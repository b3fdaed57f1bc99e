import { fileURLToPath } from 'node:url';
import { stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import { median, time } from '../../measure.ts';
import type { Program, Trial } from '../../trial.ts';
import { cyanheads, environment, ordinaryRepository, ours } from './git-repository.ts';

interface Case {
  readonly git: readonly string[];
  readonly ours: readonly [tool: string, args: object];
  readonly theirs: readonly [tool: string, args: object];
}

const cases: { readonly [name: string]: Case } = {
  status: {
    git: ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=all'],
    ours: ['git_status', {}],
    theirs: ['git_status', {}],
  },
  'log 50': {
    git: ['log', '-51', '-z', '--format=%H%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B'],
    ours: ['git_log', { max_count: 50 }],
    theirs: ['git_log', { maxCount: 50 }],
  },
  diff: {
    git: ['diff', '--numstat', '--patch'],
    ours: ['git_diff_unstaged', {}],
    theirs: ['git_diff', {}],
  },
  show: {
    git: ['show', '--numstat', '--patch', 'HEAD'],
    ours: ['git_show', { revision: 'HEAD' }],
    theirs: ['git_show', { object: 'HEAD' }],
  },
  blame: {
    git: ['blame', '--porcelain', '--', 'd0/f0.txt'],
    ours: ['git_blame', { path: 'd0/f0.txt' }],
    theirs: ['git_blame', { filePath: 'd0/f0.txt' }],
  },
};

const rounds = 25;
let directory = '';

const floor: Program = {
  args: [fileURLToPath(new URL('../../servers/git-floor.mjs', import.meta.url))],
  env: environment,
};

export const gitCalls: Trial = {
  name: 'git-calls',
  about:
    'In a repository of 2,000 commits and 3,000 files, milliseconds over the minimal server, which runs the same git ' +
    'command for each call: both take turns, medians',
  implementations: { ours, '@cyanheads/git-mcp-server': cyanheads },
  columns: Object.keys(cases).map((name) => `${name} +ms`),
  runs: 3,

  async prepare() {
    directory = ordinaryRepository();
  },

  async measure(program) {
    const mine = program === ours;
    const conversation = new Conversation(
      mine ? program : { ...program, env: { ...program.env!, GIT_BASE_DIR: directory } },
      mine ? [directory] : [],
    );
    const plain = new Conversation(floor, [directory]);
    const extra = mine ? {} : { path: directory };
    const over: number[] = [];
    for (const { git, ...calls } of Object.values(cases)) {
      const [tool, args] = mine ? calls.ours : calls.theirs;
      // In alternation, so that other load affects both.
      const differences: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const least = await time(() => plain.call('git', { git }));
        differences.push((await time(() => conversation.call(tool, { ...args, ...extra }))) - least);
      }
      over.push(median(differences));
    }
    await Promise.all([stop(conversation.process), stop(plain.process)]);
    return over;
  },
  goals: Object.keys(cases).map((name) => ({ column: `${name} +ms`, of: 'ours', atMost: 3 })),
};
