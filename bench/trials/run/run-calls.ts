import { fileURLToPath } from 'node:url';
import { stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import { median, time } from '../../measure.ts';
import type { Program, Trial } from '../../trial.ts';
import { runProgram } from './run-workspace.ts';

const rounds = 100;
const floor: Program = { args: [fileURLToPath(new URL('../../servers/git-floor.mjs', import.meta.url))] };

export const runCalls: Trial = {
  name: 'run-calls',
  about:
    'One run of `git --version`, milliseconds over the minimal server, which starts the same program for each call: ' +
    'both take turns, medians',
  implementations: { ours: runProgram('off'), 'ours, sandboxed': runProgram('required') },
  columns: ['+ms'],
  runs: 3,

  async measure(program) {
    const conversation = new Conversation(program, []);
    const plain = new Conversation(floor, [import.meta.dirname]);
    const differences: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const least = await time(() => plain.call('git', { git: ['--version'] }));
      differences.push((await time(() => conversation.call('version', {}))) - least);
    }
    await Promise.all([stop(conversation.process), stop(plain.process)]);
    return [median(differences)];
  },
  goals: [{ column: '+ms', of: 'ours', atMost: 20 }],
};
