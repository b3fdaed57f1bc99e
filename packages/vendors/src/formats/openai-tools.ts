import { isObject, messageOf } from '@mcp/kit';
import type { JsonSchema } from '../content/json-schema.ts';
import { inlineReferences, type Report, rewriteSchema } from '../content/rewrite-schema.ts';
import { rootAsObject } from '../content/root-object.ts';
import { objectSchema, withProperties } from '../content/well-formed.ts';
import type { Arguments, Note, ServerTool, VendorCall, VendorOptions } from '../vendor.ts';
import { isArraySchema, restoreOptional, strictSchema } from './openai-strict.ts';
import { nameTools } from './tool-names.ts';

/** A tool in the form that the Chat Completions and the Responses API share. */
export interface OpenAiFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonSchema;
  readonly strict: boolean;
}

/** Maximum number of tools that OpenAI accepts in a request. */
const maxTools = 128;

export function openAiFunctions(
  tools: readonly ServerTool[],
  { strict = false }: VendorOptions = {},
): { functions: OpenAiFunction[]; names: ReadonlyMap<string, ServerTool>; notes: Note[] } {
  const { names, notes } = nameTools(tools, { allowed: /[a-zA-Z0-9_-]/, maxLength: 64 });
  const functions = Array.from(names, ([name, { server, tool }]) => {
    const report: Report = (path, message) => void notes.push({ server, tool: tool.name, path, message });
    const description = tool.description ?? tool.title;
    const given = objectSchema(tool.inputSchema, report);
    const strictly = strict ? strictSchema(given, report) : undefined;
    const parameters = strictly ?? withProperties(acceptedSchema(given, report));
    const described = description === undefined ? { name } : { name, description };
    return { ...described, parameters, strict: strictly !== undefined };
  });
  if (functions.length > maxTools) {
    const { server, tool } = [...names.values()][maxTools]!;
    const message = `OpenAI takes at most ${maxTools} tools in a request; of the ${functions.length}, this tool and those after it are too many`;
    notes.push({ server, tool: tool.name, path: '', message });
  }
  return { functions, names, notes };
}

/**
 * The schema without the keywords because of which OpenAI refuses the whole request, even without strict
 * mode.
 */
function acceptedSchema(schema: JsonSchema, report: Report): JsonSchema {
  return rewriteSchema(
    rootAsObject(schema, report, ['anyOf', 'oneOf', 'allOf', 'enum', 'not']),
    (each, path) => {
      if (!isArraySchema(each) || each['items'] !== undefined) return each;
      report(path, 'Added "items": OpenAI refuses an array without it');
      return { ...each, items: {} };
    },
    report,
  );
}

/** Reads the arguments of a call, which are JSON text that a model wrote. */
export function parseArguments(text: unknown): Pick<VendorCall, 'args' | 'invalid'> {
  if (text === undefined || text === '') return { args: {} };
  if (typeof text !== 'string') return { args: {}, invalid: 'The arguments are not JSON text' };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { args: value } : { args: {}, invalid: 'The arguments are not a JSON object' };
  } catch (error) {
    return { args: {}, invalid: `The arguments are not JSON: ${messageOf(error)}` };
  }
}

/** Removes the nulls that stand for missing optional properties in strict mode. */
export function restoreArguments(args: Arguments, schema: JsonSchema): Arguments {
  const restored = restoreOptional(
    args,
    inlineReferences(schema, () => {}),
  );
  return isObject(restored) ? restored : args;
}
