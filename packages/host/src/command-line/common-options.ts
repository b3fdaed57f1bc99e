import { revisions } from '@mcp/protocol/client';
import type { OptionSpec } from './command.ts';
import { logLevels } from './log-levels.ts';

/** Options that every command takes. */
export const commonOptions: readonly OptionSpec[] = [
  {
    name: 'config',
    value: 'file',
    help: 'a configuration file to use instead of the well-known ones',
    multiple: true,
  },
  { name: 'json', help: "the specification's own objects, one line each" },
  {
    name: 'root',
    value: 'directory',
    help: 'gives servers this directory to work in, as a root; servers of a project get that of the project',
    multiple: true,
  },
  {
    name: 'yes',
    help: 'agrees to start servers that a project names, or whose start reads files of this directory',
  },
  { name: 'verbose', help: 'prints what servers write on stderr, also of those that do not fail' },
  {
    name: 'log',
    value: 'level',
    help: 'prints the log messages of servers from this level on stderr',
    choices: logLevels,
  },
  {
    name: 'sampling',
    value: 'command',
    help: 'answers sampling requests of servers: JSON on stdin, JSON on stdout',
  },
  {
    name: 'revision',
    value: 'date',
    help: 'the revision of the protocol to speak',
    choices: revisions,
  },
  { name: 'help', short: 'h', help: 'this text' },
  { name: 'version', help: 'the version of mcp' },
];
