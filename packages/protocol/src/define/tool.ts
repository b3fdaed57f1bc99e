import { messageOf } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { type Properties, propertiesOf } from '../schema/argument-schema.ts';
import { describe, describeObject } from '../schema/describe.ts';
import { mirroredArguments } from '../schema/mirrored-headers.ts';
import { type In, jsonSchema, type Out, refuseNoSchema, type Schema } from '../schema/schema.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import type { Content, Icon } from './content.ts';
import type { InputRequired } from './input/input.ts';
import { refuseNoHandler, refuseToolName } from './mistakes.ts';
import type { TakesJsonObject } from './input/takes-json-object.ts';
import type { ToolView } from './tool-view.ts';

/**
 * Hints about a tool's behaviour, which clients show to users. They are no guarantee.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
 */
export type ToolAnnotations = {
  readonly title?: string;
  /** The tool does not modify its environment. Default: false. */
  readonly readOnlyHint?: boolean;
  /** The tool may delete or overwrite; meaningful only if `readOnlyHint` is false. Default: true. */
  readonly destructiveHint?: boolean;
  /** Repeating a call with the same arguments has no further effect. Default: false. */
  readonly idempotentHint?: boolean;
  /** The tool reaches an open set of external entities, such as the web. Default: true. */
  readonly openWorldHint?: boolean;
};

/** The content of a result, which the model reads; a string is one text block. */
export type ToolContent = string | Content | readonly Content[];

type Returned<Output> = [Output] extends [Schema]
  ? In<Output> | ToolResult<In<Output>> | InputRequired
  : ToolContent | ToolResult<undefined> | InputRequired | void;

/** A tool as its author writes it; the model chooses it by its `name` and `description`. */
export type ToolDefinition<
  Input extends Schema,
  Output extends Schema | undefined,
  Context,
  Who = Caller | undefined,
> = {
  /** 1 to 128 characters of `A-Z a-z 0-9 _ - .` */
  readonly name: string;
  /** The name that a host shows to a person. */
  readonly title?: string;
  /** The effect and the result of the tool, described for the model. */
  readonly description: string;
  /** Hints for the host, such as whether a call destroys something, and whether it can be repeated safely. */
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  /** The schema of the arguments, which must describe an object. Default: the tool takes no arguments. */
  readonly inputSchema?: Input & TakesJsonObject<Input>;
  /** The schema of the value that `run` returns, which clients get as structured content. */
  readonly outputSchema?: Output;
  /**
   * Lets `run` continue a call as a task, by `await call.asTask()`. For a client that does not support tasks,
   * `optional` means that the client waits for the result, `required` that the call is refused before `run`.
   */
  readonly task?: 'optional' | 'required';
  /**
   * Whether `tools/list` includes the tool. Clients can also call a tool that is not listed: for example, a
   * tool that was renamed can stay callable by its former name. Default: true.
   */
  readonly listed?: boolean;
  /**
   * What a host shows with the results of the tool: `defineView` and `visibleTo` of `@mcp/views` make it.
   * Clients that do not support views do not get it. Default: none.
   */
  readonly view?: ToolView;
  /**
   * The scopes that a caller needs. For a caller without them, lists omit the tool and calls of it are
   * refused; over HTTP, the response is a 403 that names the missing scopes. Default: none.
   */
  readonly requires?: readonly string[];
  /**
   * Renames arguments that models use in place of the listed ones; see `renameArguments`. Called only with
   * arguments that the schema refuses; returns them with the listed names.
   */
  readonly interpret?: (args: JsonObject) => JsonObject;
  /** Runs a call. An error that it throws is sent as the result of the call, for the model to read. */
  readonly run: (args: Out<Input>, call: Call<Context, Who>) => Returned<Output> | Promise<Returned<Output>>;
};

/** A tool as a server stores it. Its handler expects the context `Context` and callers of type `Who`. */
export interface Tool<in Context = never, in Who = Caller | undefined> {
  readonly name: string;
  readonly definition: Omit<ToolDefinition<Schema, Schema | undefined, never>, 'run'>;
  readonly input: Schema;
  readonly output: Schema | undefined;
  /** The schemas of the arguments by name; undefined if the tool accepts arguments of any name. */
  readonly properties: Properties | undefined;
  /** The JSON Schema of the arguments. */
  readonly inputJson: JsonObject;
  readonly outputJson: JsonObject | undefined;
  readonly run: (args: unknown, call: Call<Context, Who>) => unknown;
}

const noInput = jsonSchema({ type: 'object', additionalProperties: false }, () => ({}));

/**
 * Defines a tool: its description for models, and its handler. Throws an `Error` for an invalid name, and for
 * a schema that cannot be published as JSON Schema.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @example
 * ```ts
 * import { defineServer, defineTool } from '@mcp/protocol';
 * import { connect } from '@mcp/protocol/testing';
 * import { z } from 'zod';
 *
 * const add = defineTool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => String(a + b),
 * });
 *
 * await using client = await connect(defineServer({ name: 'calculator', version: '1.0.0', tools: [add] }));
 * await client.callTool('add', { a: 1, b: 2 }); // content: [{ type: 'text', text: '3' }]
 * ```
 */
export function defineTool<
  Input extends Schema = Schema<Record<never, never>>,
  Output extends Schema | undefined = undefined,
  Context = object,
  Who = Caller | undefined,
>(definition: ToolDefinition<Input, Output, Context, Who>): Tool<Context, Who> {
  const { name, inputSchema: input = noInput, outputSchema: output } = definition;
  refuseToolName(name);
  refuseNoHandler(`tool "${name}"`, 'run', definition);
  const inputName = `inputSchema of the tool "${name}"`;
  const outputName = `outputSchema of the tool "${name}"`;
  refuseNoSchema(input, inputName);
  if (output) refuseNoSchema(output, outputName);
  const inputJson = describeArguments(input, inputName);
  return {
    name,
    definition,
    input,
    output,
    properties: propertiesOf(inputJson),
    inputJson,
    outputJson: output && describe(output, 'output', outputName),
    run: definition.run.bind(definition) as Tool<Context, Who>['run'],
  };
}

function describeArguments(input: Schema, name: string): JsonObject {
  const json = describeObject(input, name);
  try {
    mirroredArguments(json);
  } catch (error) {
    throw new Error(`Invalid ${name}: ${messageOf(error)}`, { cause: error });
  }
  return json;
}

/**
 * Renames arguments: the keys of `names` are the aliases, its values the real names. If an argument is given
 * under both names, it is not renamed, so that the call is refused instead of losing a value.
 * @example
 * ```ts
 * import { defineTool, renameArguments } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * export const size = defineTool({
 *   name: 'size',
 *   description: 'Counts the characters of a file.',
 *   inputSchema: z.object({ path: z.string() }),
 *   interpret: (args) => renameArguments(args, { file_path: 'path', filePath: 'path' }),
 *   run: ({ path }) => String(path.length),
 * });
 * ```
 */
export function renameArguments(args: JsonObject, names: { readonly [alias: string]: string }): JsonObject {
  const renamed = new Map<string, unknown>(Object.entries(args));
  for (const [alias, name] of Object.entries(names)) {
    if (!renamed.has(alias) || renamed.has(name)) continue;
    renamed.set(name, renamed.get(alias));
    renamed.delete(alias);
  }
  return Object.fromEntries(renamed);
}

/**
 * Returns the tool without its output schema, for a server whose operator chooses whether clients also get
 * structured content. Of a {@link toolResult}, clients then get only the `content`, which `run` must return.
 * A {@link jsonResult} and a {@link ToolError} keep their structured content.
 * @example
 * ```ts
 * import { defineServer, type Tool, withoutStructuredContent } from '@mcp/protocol';
 *
 * export const serverOf = (tools: readonly Tool[], structured: boolean) =>
 *   defineServer({
 *     name: 'notes',
 *     version: '1.0.0',
 *     tools: structured ? tools : tools.map(withoutStructuredContent),
 *   });
 * ```
 */
export function withoutStructuredContent<Context, Who>(tool: Tool<Context, Who>): Tool<Context, Who> {
  const { outputSchema: _, ...definition } = tool.definition;
  return { ...tool, definition, output: undefined, outputJson: undefined };
}

/** A result with content, structured content and metadata. */
export class ToolResult<Structured = unknown> {
  readonly content: ToolContent | undefined;
  readonly structuredContent: Structured | undefined;
  readonly _meta: JsonObject | undefined;
  readonly immutable: boolean;

  constructor(parts: ToolResultParts<Structured>) {
    this.content = parts.content;
    this.structuredContent = parts.structuredContent;
    this._meta = parts._meta;
    this.immutable = parts.immutable ?? false;
  }
}

type ToolResultParts<Structured> = {
  readonly content?: ToolContent;
  readonly structuredContent?: Structured;
  readonly _meta?: JsonObject;
  /** The handler returns this object often and never changes it: it is serialized once for each revision. */
  readonly immutable?: boolean;
};

/**
 * Makes a result. `structuredContent` must match the tool's output schema, and is not sent if the tool has
 * none; without `content`, the model reads the JSON of `structuredContent`.
 * @example
 * ```ts
 * import { defineTool, toolResult } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * export const count = defineTool({
 *   name: 'count',
 *   description: 'Counts the words of a text.',
 *   inputSchema: z.object({ text: z.string() }),
 *   outputSchema: z.object({ words: z.int() }),
 *   run({ text }) {
 *     const words = text.split(' ').length;
 *     return toolResult({ content: `There are ${words} words.`, structuredContent: { words } });
 *   },
 * });
 * ```
 */
export function toolResult<Structured = undefined>(
  parts: ToolResultParts<Structured>,
): ToolResult<Structured> {
  return new ToolResult(parts);
}

/** A value as JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Makes a result whose structured content is JSON text already: the text is sent as it is, without validation
 * or serialization, also if the tool has no `outputSchema`. The text must be one line of valid JSON that
 * matches the `outputSchema`, if there is one. A tool that does not return structured content for every call
 * must not declare an `outputSchema`.
 * @example
 * ```ts
 * import { defineTool, jsonResult } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * export const list = defineTool({
 *   name: 'list',
 *   description: 'Lists the rows.',
 *   outputSchema: z.object({ rows: z.array(z.string()) }),
 *   run: () => jsonResult({ content: 'One row: a', json: '{"rows":["a"]}' }),
 * });
 * ```
 */
export function jsonResult(parts: {
  content?: ToolContent;
  json: string;
  _meta?: JsonObject;
}): ToolResult<never> {
  const { json, ...rest } = parts;
  return new ToolResult({ ...rest, structuredContent: new JsonText(json) as never });
}

/** An error for the model to act on, with structured content or metadata beside the message. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly structuredContent: JsonObject | undefined;
  readonly _meta: JsonObject | undefined;

  constructor(
    message: string,
    parts: { structuredContent?: JsonObject; _meta?: JsonObject; cause?: unknown } = {},
  ) {
    super(message, { cause: parts.cause });
    this.structuredContent = parts.structuredContent;
    this._meta = parts._meta;
  }
}
