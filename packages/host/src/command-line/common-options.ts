import { logLevels, revisions } from '@mcp/protocol/client';
import type { OptionSpec } from './command.ts';

export const commonOptions: readonly OptionSpec[] = [
  { name: 'config', value: 'file', help: 'a configuration file to use instead of the well-known ones' },
  { name: 'json', help: 'prints the objects of the specification as JSON' },
  {
    name: 'root',
    value: 'directory',
    help: 'a directory that servers may work in (a root); by default only servers of a project get one: the project',
  },
  {
    name: 'yes',
    help: 'starts without asking servers that a project names, or whose start reads files of this directory',
  },
  { name: 'verbose', help: 'prints what all servers write on stderr, and not only those that fail' },
  {
    name: 'log',
    value: 'level',
    help: 'prints the log messages of servers from this level on stderr',
    choices: logLevels,
  },
  {
    name: 'sampling',
    value: 'command',
    help: 'a command that answers sampling requests of servers: JSON on its stdin, JSON on its stdout',
  },
  { name: 'revision', value: 'date', help: 'the revision of the protocol to use', choices: revisions },
  { name: 'help', short: 'h', help: 'this text' },
  { name: 'version', help: 'the version of mcp' },
];
