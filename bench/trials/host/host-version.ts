import type { Trial } from '../../trial.ts';
import { HostWorkspace, untilEnded } from './host-workspace.ts';
import { bareNode } from '../start/start-times.ts';

const workspace = new HostWorkspace(() => ({}));
process.once('exit', () => workspace[Symbol.dispose]());

const ours = workspace.command('ours', '--version');

export const hostVersion: Trial = {
  name: 'host-version',
  about: 'From spawn to the end of --version; bare node to its exit',
  implementations: {
    ours,
    mcporter: workspace.command('mcporter', '--version'),
    mcpc: workspace.command('mcpc', '--version'),
    'node -e 0': bareNode,
  },
  columns: ['ms'],
  runs: 21,
  prepare: async () => void (await untilEnded(ours)),
  measure: async (program) => [await untilEnded(program)],
  goals: [{ column: 'ms', of: 'ours', to: 'node -e 0', atMost: 1.5 }],
};
