import type { Program, Trial } from '../../trial.ts';
import { cyanheads, ours, repositoryOf } from './git-repository.ts';
import { bareNode, filesystemOver, fillCompileCache, measureStart } from '../start/start-times.ts';

const filesystem = filesystemOver(import.meta.dirname);
let repository = '';

export const gitStart: Trial = {
  name: 'git-start',
  about:
    'From spawn to the answer to initialize, for the servers as they are published; bare node to its exit',
  implementations: { ours, filesystem, '@cyanheads/git-mcp-server': cyanheads, 'node -e 0': bareNode },
  columns: ['ms', 'idle MB'],
  runs: 21,

  async prepare() {
    repository = repositoryOf('');
    await fillCompileCache(inRepository(ours), filesystem);
  },

  measure: (program) => measureStart(inRepository(program)),
  goals: [
    { column: 'ms', of: 'ours', to: 'node -e 0', atMost: 1.4 },
    { column: 'ms', of: 'ours', to: 'filesystem', atMost: 1.1 },
    { column: 'idle MB', of: 'ours', to: 'filesystem', atMost: 1.1 },
    { column: 'ms', of: 'ours', to: '@cyanheads/git-mcp-server', atMost: 0.2 },
    { column: 'idle MB', of: 'ours', to: '@cyanheads/git-mcp-server', atMost: 0.75 },
  ],
};

/** Only git servers get a repository as argument. */
function inRepository(program: Program): Program {
  if (program !== ours && program !== cyanheads) return program;
  return { ...program, args: [...program.args, repository] };
}
