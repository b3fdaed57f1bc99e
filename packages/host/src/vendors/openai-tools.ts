import { strictSchema } from './openai-strict.ts';
import { nameTools } from './tool-names.ts';
import type { Note, Schema, ServerTool, VendorOptions } from './vendor.ts';

/** A tool as both of OpenAI's interfaces describe it. */
export interface OpenAiFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters: Schema;
  readonly strict: boolean;
}

/** A request may have so many tools. */
const maxTools = 128;

export function openAiFunctions(
  tools: readonly ServerTool[],
  { strict = false }: VendorOptions,
): { functions: OpenAiFunction[]; names: ReadonlyMap<string, ServerTool>; notes: Note[] } {
  const { names, notes } = nameTools(tools, { allowed: /[a-zA-Z0-9_-]/, maxLength: 64 });
  const functions = Array.from(names, ([name, { server, tool }]) => {
    const report = (path: string, message: string) =>
      void notes.push({ server, tool: tool.name, path, message });
    const description = tool.description ?? tool.title;
    const parameters = strict ? strictSchema(tool.inputSchema, report) : undefined;
    return {
      name,
      ...(description !== undefined && { description }),
      parameters: parameters ?? tool.inputSchema,
      strict: parameters !== undefined,
    };
  });
  if (functions.length > maxTools) {
    const { server, tool } = [...names.values()][maxTools]!;
    const message = `OpenAI takes ${maxTools} tools in a request; there are ${functions.length} from here on`;
    notes.push({ server, tool: tool.name, path: '', message });
  }
  return { functions, names, notes };
}

/** The arguments of a call, which are JSON text that a model wrote. */
export function parseArguments(
  text: unknown,
): Readonly<Record<string, unknown>> | { readonly invalid: string } {
  if (text === undefined || text === '') return {};
  if (typeof text !== 'string') return { invalid: 'The arguments are not JSON text' };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    return { invalid: 'The arguments are not a JSON object' };
  } catch (error) {
    return { invalid: `The arguments are not JSON: ${(error as Error).message}` };
  }
}
