import type { Command } from '../command-line/command.ts';
import { listCommand } from '../views/list-servers.ts';

export const resources: Command = listCommand(
  {
    name: 'resources',
    help: 'the resources and resource templates of all servers, or of those that are named',
  },
  ['resources', 'resourceTemplates'],
  ({ resources: listed, resourceTemplates }) => [
    ...resourceTemplates.map(({ uriTemplate, name, description }) => [uriTemplate, description ?? name]),
    ...listed.map(({ uri, name, description }) => [uri, description ?? name]),
  ],
);
