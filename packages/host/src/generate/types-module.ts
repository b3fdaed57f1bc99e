import { type GeneratedServer, headingOf } from './heading.ts';
import { pascalCase, uniqueNames } from './names.ts';
import { printDefinitions, printToolMap, toolTypesOf } from './tool-types.ts';

/**
 * A module with the types of all tools of servers. With several servers, the names of its types begin with
 * that of their server.
 */
export function typesModule(servers: readonly GeneratedServer[]): string {
  const claim = uniqueNames();
  const parts = servers.flatMap(({ server, tools }) => {
    const prefix = servers.length > 1 ? pascalCase(server) : '';
    const map = claim(`${prefix}Tools`);
    const types = toolTypesOf(tools, claim, prefix);
    return [...printDefinitions(types), printToolMap(map, types)];
  });
  return `${[headingOf('mcp types', servers), ...parts].join('\n\n')}\n`;
}
