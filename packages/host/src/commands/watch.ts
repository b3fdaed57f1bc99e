import { once } from 'node:events';
import type { Command } from '../command-line/command.ts';
import { exitCodes } from '../errors.ts';
import { Changes } from './watch/changes.ts';
import { parseWatchTopics } from './watch/watch-topics.ts';
import { Watches } from './watch/watches.ts';

export const watch: Command = {
  name: 'watch',
  usage: '<server> <uri…> [<server> <uri…>] | <server:uri…> | <server…> --lists',
  help: 'prints a line for each change of resources or lists, until it is interrupted; survives restarts of servers and follows the configuration',
  words: ['server or resource'],
  options: [
    { name: 'lists', help: 'changes of the lists of tools, resources and prompts' },
    {
      name: 'exec',
      value: 'command',
      help: 'runs a command for changes, one at a time, with MCP_SERVER, MCP_URI, MCP_LIST and MCP_CHANGES',
    },
    { name: 'exec-timeout', value: 'seconds', help: 'how long the command may take; 60 seconds by default' },
    { name: 'count', value: 'number', help: 'ends after so many changes' },
  ],
  async run(input) {
    const { positionals, servers, options, signal } = input;
    const topics = parseWatchTopics(positionals, servers.names, options['lists'] === true);
    const changes = new Changes(input);
    const watches = new Watches(topics, changes, input);
    const following = watches.followConfiguration();
    // Keeps the process alive when a changed configuration has no servers: then no connection keeps it alive.
    const keepAlive = setInterval(() => {}, 60_000);
    try {
      await watches.start(following);
      if (!signal.aborted) await Promise.race([changes.complete, once(signal, 'abort')]);
      return signal.aborted ? exitCodes.interrupted : watches.exitCode;
    } finally {
      clearInterval(keepAlive);
      (await following)();
      changes.stop();
    }
  },
};
