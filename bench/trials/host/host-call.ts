import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Program, Trial } from '../../trial.ts';
import { HostWorkspace, untilEnded, untilPrinted } from './host-workspace.ts';

const official = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
const workspace = new HostWorkspace((directory) => ({
  files: { command: process.execPath, args: [official, directory] },
}));
process.once('exit', () => workspace[Symbol.dispose]());

const { config, text } = workspace;
const ours = workspace.command('ours', '--config', config, 'call', 'files.read_text_file', `path=${text}`);
const mcporter = workspace.command(
  'mcporter',
  '--config',
  config,
  'call',
  'files.read_text_file',
  `path=${text}`,
);
const inspector = workspace.command(
  'Inspector',
  '--cli',
  '--config',
  config,
  '--server',
  'files',
  '--method',
  'tools/call',
  '--tool-name',
  'read_text_file',
  '--tool-arg',
  `path=${text}`,
);
const mcpc = workspace.command('mcpc', '@bench', 'tools-call', 'read_text_file', `path:=${text}`);
/** mcpc calls tools in a session, which its command `connect` opens. */
const connect = workspace.command('mcpc', 'connect', `${config}:files`, '@bench');
const close = workspace.command('mcpc', 'close', '@bench');

export const hostCall: Trial = {
  name: 'host-call',
  about:
    'From spawn to the first result and to the end of a command that calls a tool of the official filesystem server; ' +
    'mcpc: with the command that opens its session',
  implementations: { ours, mcporter, 'Inspector CLI': inspector, mcpc },
  columns: ['result ms', 'end ms'],
  runs: 7,
  prepare: async () => void (await untilEnded(ours)),
  async measure(program: Program) {
    const opened = program === mcpc ? await untilEnded(connect) : 0;
    const started = performance.now();
    const { ms, child } = await untilPrinted(program, ['hello']);
    if (child.exitCode === null) await once(child, 'exit');
    const end = performance.now() - started;
    if (program === mcpc) await untilEnded(close);
    return [opened + ms, opened + end];
  },
  goals: [
    { column: 'result ms', of: 'ours', to: 'mcporter', atMost: 0.9 },
    { column: 'result ms', of: 'ours', to: 'Inspector CLI', atMost: 0.9 },
    { column: 'result ms', of: 'ours', to: 'mcpc', atMost: 0.5 },
  ],
};
