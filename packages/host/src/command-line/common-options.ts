import { logLevels, revisions } from '@mcp/protocol/client';
import type { Command, OptionSpec } from './command.ts';

export const commonOptions: readonly OptionSpec[] = [
  {
    name: 'config',
    value: 'file',
    help: 'a configuration file to use instead of the well-known ones; repeatable, the first one counts more',
  },
  { name: 'json', help: 'prints the objects of the specification as JSON' },
  {
    name: 'root',
    value: 'directory',
    help: 'a directory that servers may work in (a root); by default, servers of a project get the directory of the project, and others get none',
  },
  {
    name: 'yes',
    help: 'starts servers that a project configures, or whose start reads files of this directory, without a question; trust accepts tools without one, and skills install files',
  },
  {
    name: 'env',
    value: 'name=value',
    help: 'a variable for the server after --, or the name of a variable of this environment; repeatable',
  },
  {
    name: 'header',
    value: 'name: value',
    help: 'a header for the server with the given URL; ${VAR} is a variable of this environment; repeatable',
  },
  {
    name: 'client-id',
    value: 'id',
    help: 'the id of a client that is registered for the login to the given URL; by default, mcp registers one',
  },
  {
    name: 'start-timeout',
    value: 'seconds',
    help: 'how long a server that the command line names may take to start; 30 by default',
  },
  { name: 'verbose', help: 'prints what servers write on stderr, even if they do not fail' },
  {
    name: 'log',
    value: 'level',
    help: 'prints log messages of servers on stderr, from this level up',
    choices: logLevels,
  },
  {
    name: 'sampling',
    value: 'command',
    help: 'a command that answers sampling requests of servers: JSON on its stdin, JSON on its stdout',
  },
  {
    name: 'trace',
    value: 'file',
    help: 'writes each message to and from servers into this file, which mcp replay serves; it may have secrets',
  },
  { name: 'revision', value: 'date', help: 'the revision of the protocol to use', choices: revisions },
  { name: 'help', short: 'h', help: 'this text' },
  { name: 'version', help: 'the version of mcp' },
];

/**
 * All options of a command, of which its own replace common options of the same name. Without a command, the
 * common ones.
 */
export function optionsOf(command?: Pick<Command, 'options'>): readonly OptionSpec[] {
  const own = command?.options ?? [];
  return [...own, ...commonOptions.filter(({ name }) => !own.some((each) => each.name === name))];
}
