import { type SourceTool, type VendorName, vendorNames, vendors } from '@mcp/vendors';
import type { ListedTool } from '@mcp/protocol/client';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { exitCodeOf, type ServerResult } from '../views/each-server.ts';
import {
  cachedOption,
  listServers,
  listsJson,
  printLists,
  type ListsOfServer,
} from '../views/list-servers.ts';

export const tools: Command = {
  name: 'tools',
  usage: '[server…]',
  help: 'the tools of all servers, or of those that are named',
  words: ['server'],
  options: [
    { name: 'grep', value: 'text', help: 'only tools with this text in their name or description' },
    {
      name: 'format',
      value: 'vendor',
      help: 'prints the tools as in a request to a model of this vendor',
      choices: vendorNames,
    },
    { name: 'strict', help: 'with --format, prints schemas for the strict mode of the vendor' },
    cachedOption,
  ],
  async run(input) {
    const { options, output } = input;
    const format = vendorNames.find((each) => each === valueOf(options, 'format'));
    const grep = valueOf(options, 'grep')?.toLowerCase();
    const matches = (tool: ListedTool) => grep === undefined || textOf(tool).includes(grep);
    const asText = format === undefined && !output.json;
    const all = await listServers(input, ['tools'], (result) => {
      if (asText) printLists(filtered(result, matches), input, rowsOf);
    });
    const results = all.map((each) => filtered(each, matches));
    if (format !== undefined) printForVendor(results, format, input);
    else if (output.json)
      output.value(Object.fromEntries(results.map((each) => [each.server, listsJson(each)])));
    return exitCodeOf(results);
  },
};

function textOf({ name, title, description }: ListedTool): string {
  return [name, title, description].join('\n').toLowerCase();
}

type ToolsOfServer = ServerResult<ListsOfServer<'tools'>>;

function filtered(result: ToolsOfServer, matches: (tool: ListedTool) => boolean): ToolsOfServer {
  if (result.error) return result;
  const { server, value } = result;
  return { server, value: { ...value, tools: value.tools.filter(matches) } };
}

function rowsOf({ tools: listed }: ListsOfServer<'tools'>): string[][] {
  return listed.map(({ name, title, description }) => [`  ${name}`, description ?? title ?? '']);
}

function printForVendor(
  results: readonly ToolsOfServer[],
  format: VendorName,
  { options, output }: CommandInput,
): void {
  const all = results.flatMap(({ server, value }) =>
    (value?.tools ?? []).map((tool) => ({ server, tool: tool as SourceTool })),
  );
  const { tools: request, notes } = vendors[format].toTools(all, { strict: options['strict'] === true });
  output.value(request);
  for (const { server, tool, path, message } of notes) {
    output.note(`${server}.${tool}${path === '' ? '' : ` ${path}`}: ${message}`, 'yellow');
  }
  for (const { error } of results) if (error) output.note(error.message, 'red');
}
