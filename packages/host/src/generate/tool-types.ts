import type { ListedTool } from '@mcp/protocol/client';
import { definitionsOf } from './definitions-of.ts';
import { commentLines } from './comment.ts';
import { pascalCase, propertyKey } from './names.ts';
import { printDeclaration } from './print-type.ts';
import { anyObject, type Definition, type Shape } from './shape.ts';

type Definitions = ReadonlyMap<string, Definition>;

/** A tool with the types of its arguments and its structured result. */
export interface ToolTypes {
  readonly tool: ListedTool;
  /** The name of the type of the arguments; undefined if the tool takes none. */
  readonly args: string | undefined;
  readonly hasRequired: boolean;
  /** The name of the type of the structured result; undefined if the tool has none. */
  readonly result: string | undefined;
  /** The types of the arguments and of the result, and those that they refer to. */
  readonly definitions: Definitions;
}

/** The types of tools, sorted by name. Their names begin with `prefix`; `claim` returns free ones. */
export function toolTypesOf(
  tools: readonly ListedTool[],
  claim: (wanted: string) => string,
  prefix = '',
): readonly ToolTypes[] {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map((tool) => {
    const { name, inputSchema, outputSchema } = tool;
    const base = prefix + pascalCase(name);
    const types = (schema: Readonly<Record<string, unknown>>, suffix: string): [string, Definitions] => {
      const own = claim(base + suffix);
      return [own, definitionsOf(schema, own, (wanted) => claim(base + wanted))];
    };
    const [args, ofArguments] = takesArguments(inputSchema) ? types(inputSchema, 'Arguments') : [];
    const [result, ofResult] = outputSchema ? types(outputSchema, 'Result') : [];
    const definitions = new Map([...(ofArguments ?? []), ...(ofResult ?? [])]);
    const given = args === undefined ? undefined : definitions.get(args);
    // Arguments are an object, even if their schema is too odd to say so.
    if (given && !isObjectType(given.shape, definitions))
      definitions.set(args!, { ...given, shape: anyObject });
    return { tool, args, hasRequired: hasRequired(args, definitions), result, definitions };
  });
}

/** Whether a tool takes arguments: a schema without a property and other keywords describes none. */
function takesArguments({ properties = {}, ...schema }: ListedTool['inputSchema']): boolean {
  const combined = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'required'];
  return (
    Object.keys(properties as object).length > 0 ||
    (schema['additionalProperties'] ?? false) !== false ||
    combined.some((key) => schema[key] !== undefined)
  );
}

/** Whether a type has only objects. References lead to no cycle. */
function isObjectType(shape: Shape, definitions: Definitions): boolean {
  const isObjectOf = (each: Shape) => isObjectType(each, definitions);
  if (shape.kind === 'union') return shape.members.every(isObjectOf);
  if (shape.kind === 'intersection') return shape.members.some(isObjectOf);
  const named = shape.kind === 'reference' ? definitions.get(shape.name) : undefined;
  return named ? isObjectOf(named.shape) : shape.kind === 'object';
}

/** Whether a call without arguments may be invalid. */
function hasRequired(args: string | undefined, definitions: Definitions): boolean {
  const shape = args === undefined ? undefined : definitions.get(args)?.shape;
  if (!shape) return false;
  return shape.kind !== 'object' || shape.properties.some(({ isOptional }) => !isOptional);
}

/** The declarations of all types of tools. */
export function printDefinitions(tools: readonly ToolTypes[]): readonly string[] {
  return tools.flatMap(({ definitions }) =>
    Array.from(definitions, ([name, definition]) => printDeclaration(name, definition)),
  );
}

/** An interface with the arguments and the structured result of each tool, by its name. */
export function printToolMap(name: string, tools: readonly ToolTypes[]): string {
  const lines = tools.flatMap(({ tool, args = '{ [name: string]: never }', result = 'undefined' }) => [
    ...commentLines(tool.description ?? tool.title ?? '', '  '),
    `  ${propertyKey(tool.name)}: { arguments: ${args}; result: ${result} };`,
  ]);
  return [`export interface ${name} {`, ...lines, '}'].join('\n');
}
