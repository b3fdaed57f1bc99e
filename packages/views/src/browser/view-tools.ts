import type { CallToolResult } from '@mcp/protocol/client';
import { type JsonObject, objectOf } from '../model/json-object.ts';

/** A tool that a view offers to its host, so that the model can use what is shown. */
export type ViewTool = {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** A JSON Schema of the arguments. They are not checked. Default: any object. */
  readonly inputSchema?: JsonObject;
  readonly run: (args: JsonObject) => ViewToolValue | Promise<ViewToolValue>;
};

/** Text for the model, or a whole result. */
export type ViewToolValue = string | CallToolResult;

/** Answers the requests of a host for the tools of a view. */
export type ViewTools = (method: string, params: JsonObject) => JsonObject | Promise<JsonObject> | undefined;

/** More calls at a time are refused. */
const maxRunning = 100;

/**
 * The tools that a view offers to its host: the option `tools` of `connectView`. The model can call them as
 * long as the view is shown. What a tool throws is a result with `isError`.
 * @example
 * ```ts
 * import { connectView, viewTools } from '@mcp/views/browser';
 *
 * let place = 'Vienna';
 * export const connect = () =>
 *   connectView({
 *     name: 'forecast',
 *     version: '1.0.0',
 *     tools: viewTools([
 *       { name: 'shown_place', description: 'Says which place the user sees.', run: () => place },
 *     ]),
 *   });
 * ```
 */
export function viewTools(tools: readonly ViewTool[]): ViewTools {
  const listed = tools.map(({ run: _run, ...tool }) => ({ inputSchema: { type: 'object' }, ...tool }));
  let running = 0;
  return (method, params) => {
    if (method === 'tools/list') return { tools: listed };
    if (method !== 'tools/call') return undefined;
    const { name, arguments: args } = params;
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`Unknown tool: ${JSON.stringify(name)}`);
    if (running >= maxRunning) throw new Error(`${maxRunning} calls are running`);
    running++;
    return run(tool, objectOf(args)).finally(() => running--);
  };
}

async function run(tool: ViewTool, args: JsonObject): Promise<JsonObject> {
  try {
    const value = await tool.run(args);
    return typeof value === 'string' ? { content: [{ type: 'text', text: value }] } : value;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { content: [{ type: 'text', text }], isError: true };
  }
}
