import type { ResultBlock } from '@mcp/vendors';
import { exitCodes } from '../errors.ts';
import { extendedByProgress } from '../servers/extended-by-progress.ts';
import { withheldText } from '../servers/withheld-text.ts';
import type { Command } from '../command-line/command.ts';

export const route: Command = {
  name: 'route',
  usage: '< text',
  help: 'executes the <use_mcp_tool> and <access_mcp_resource> blocks in a text, and prints their results',
  words: [],
  async run({ servers, stdin, output, signal }) {
    // Imported only here, so that other commands start faster.
    const { routeBlocks } = await import('@mcp/vendors');
    const text = stdin();
    text.setEncoding('utf8');
    let failed = false;
    const results = routeBlocks(
      text as AsyncIterable<string>,
      {
        servers: servers.names,
        tools: async (server) => (await servers.tools(server)).map(({ name }) => name),
        withheld: async (server, tool) =>
          (await servers.withheldTools(server)).includes(tool) ? withheldText(server, tool) : undefined,
        callTool: async (server, tool, args) => {
          const result = await servers.use(server, (client) =>
            client.callTool(tool, { ...args }, { signal, ...extendedByProgress }),
          );
          return { ...result, content: result.content as readonly ResultBlock[] };
        },
        readResource: (server, uri) =>
          servers.use(server, (client) => client.readResource(uri, { signal, ...extendedByProgress })),
      },
      signal,
    );
    for await (const result of results) {
      failed ||= result.isError;
      if (output.json) output.jsonLine(result);
      else output.foreign(`${result.text}\n`);
    }
    return failed ? exitCodes.tool : exitCodes.ok;
  },
};
