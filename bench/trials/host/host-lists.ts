import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Trial } from '../../trial.ts';
import { HostWorkspace, untilPrinted } from './host-workspace.ts';

const server = fileURLToPath(new URL('../../servers/one-tool.mjs', import.meta.url));
const names = Array.from({ length: 19 }, (_, index) => `tool-${index}-`);
const workspace = new HostWorkspace(() =>
  Object.fromEntries(
    ['hang', ...names].map((name) => [`s-${name}`, { command: process.execPath, args: [server, name] }]),
  ),
);
process.once('exit', () => workspace[Symbol.dispose]());

const { config } = workspace;
const ours = workspace.command('ours', '--config', config, 'tools');
const mcporter = workspace.command('mcporter', '--config', config, 'list', '--timeout', '10000');
const shown = new Map([
  [ours, names],
  [mcporter, names.map((name) => `s-${name}`)],
]);

export const hostLists: Trial = {
  name: 'host-lists',
  about:
    '20 servers of which one hangs: from spawn until the tools of the 19 others are printed (mcporter: their number, ' +
    'with a timeout of ten seconds)',
  implementations: { ours, mcporter },
  columns: ['ms'],
  runs: 3,
  async measure(program) {
    const { ms, child } = await untilPrinted(program, shown.get(program as typeof ours) ?? []);
    child.kill('SIGINT');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return [ms];
  },
  goals: [
    { column: 'ms', of: 'ours', atMost: 3_000 },
    // A program that only starts the 20 servers and calls each of them takes about half of mcporter's time.
    { column: 'ms', of: 'ours', to: 'mcporter', atMost: 0.75 },
  ],
};
