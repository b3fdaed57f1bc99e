import { initialize, memoryMb, received, start, stop } from '../child.ts';
import type { Program, Trial } from '../trial.ts';
import { ours, repositoryOf } from './git-repository.ts';

const bare: Program = { args: ['-e', '0'] };
let directory = '';

export const gitStart: Trial = {
  name: 'git-start',
  about:
    'From spawn to the answer to initialize, for the git server as it is published; bare node to its exit',
  implementations: { ours, 'node -e 0': bare },
  columns: ['ms', 'idle MB'],
  runs: 21,

  async prepare() {
    directory = repositoryOf('');
    const server = start({ ...ours, args: [...ours.args, directory] });
    const ready = received(server, 1);
    server.stdin.end(initialize);
    await ready;
    // Node writes its compile cache when a process ends well.
    await new Promise((resolve) => server.once('exit', resolve));
  },

  async measure(program) {
    const started = performance.now();
    const server = start(program === bare ? bare : { ...program, args: [...program.args, directory] });
    if (program === bare) {
      await new Promise((resolve) => server.once('exit', resolve));
      return [performance.now() - started, Number.NaN];
    }
    const ready = received(server, 1);
    server.stdin.write(initialize);
    await ready;
    const ms = performance.now() - started;
    const idle = memoryMb(server);
    await stop(server);
    return [ms, idle];
  },
  goals: [{ column: 'ms', of: 'ours', to: 'node -e 0', atMost: 1.4 }],
};
