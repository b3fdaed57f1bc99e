import { isObject } from '@mcp/kit';
import type { ListedTool } from '@mcp/protocol/client';
import type { JsonObject } from '@mcp/protocol/proxy';
import { didYouMean } from '../../did-you-mean.ts';
import type { Catalog, Named } from './catalog.ts';
import { searchTools } from './search-tools.ts';
import { invalid } from '../gateway-error.ts';

/**
 * Maximum number of tools in one result of `list_tools`. To find other tools, a model narrows the list by the
 * arguments.
 */
const maxListed = 200;

/** Maximum number of tools in a result of `list_tools` with a query: they are the best. */
const maxFound = 20;

/** Three tools that a client gets instead of all tools of the servers, for clients with many servers. */
export const lazyTools: readonly ListedTool[] = [
  {
    name: 'list_tools',
    title: 'List tools',
    description:
      'Lists the tools that `call_tool` can call, by name with the first line of their descriptions. Call this first.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'What the tool should do, in a few words; the best tools come first.',
        },
        server: { type: 'string', description: 'Only tools of this server.' },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'describe_tool',
    title: 'Describe a tool',
    description: 'Returns the whole definition of a tool, with the JSON Schema of its arguments.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'A name that `list_tools` returned.' } },
      required: ['name'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'call_tool',
    title: 'Call a tool',
    description: 'Calls a tool with arguments as `describe_tool` describes them, and returns its result.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'A name that `list_tools` returned.' },
        arguments: { type: 'object', description: 'The arguments of the tool.' },
      },
      required: ['name'],
    },
  },
];

/** The result of `list_tools`: with a query, the best tools first. */
export function listedTools({ tools }: Catalog, args: JsonObject): JsonObject {
  const { server } = args;
  const ofServer = [...tools].filter(([, { link }]) => server === undefined || server === link.name);
  const query = textOf(args['query']);
  const found = searchTools(ofServer, query);
  const lines = found.slice(0, query === '' ? maxListed : maxFound).map(([name, { shown }]) => {
    const [first = ''] = (shown.description ?? shown.title ?? '').trim().split('\n', 1);
    return first === '' ? name : `${name}: ${first}`;
  });
  const more = found.length - lines.length;
  if (more > 0) lines.push(`(${more} more; narrow the list with "query" or "server")`);
  return textResult(lines.length > 0 ? lines.join('\n') : `No tool matches; there are ${tools.size} tools`);
}

/** The result of `describe_tool`. */
export function describedTool(catalog: Catalog, args: JsonObject): JsonObject {
  const name = textOf(args['name']);
  const found = catalog.tools.get(name);
  if (found) return textResult(JSON.stringify({ ...found.shown, name }, null, 1));
  return { ...textResult(unknownTool(name, catalog.tools)), isError: true };
}

/** The parameters of the `tools/call` that a call of `call_tool` contains. */
export function calledTool(params: JsonObject): JsonObject {
  const { name, arguments: args } = isObject(params['arguments']) ? params['arguments'] : {};
  if (typeof name !== 'string') throw invalid('"name" of call_tool must be a string');
  if (args !== undefined && !isObject(args)) throw invalid('"arguments" of call_tool must be an object');
  return { ...params, name, arguments: args ?? {} };
}

export function unknownTool(name: string, tools: ReadonlyMap<string, Named<'tools'>>): string {
  return unknownItem('tool', name, tools.keys());
}

/** The error message for a name that no list contains, with the closest names. */
export function unknownItem(what: 'tool' | 'prompt', name: string, names: Iterable<string>): string {
  return `Unknown ${what}: "${name}"${didYouMean(name, names)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textResult(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}
