import { messageOf } from '../jsonrpc/error.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { type Properties, propertiesOf } from '../schema/argument-schema.ts';
import { describeObject, describeOutput } from '../schema/describe.ts';
import { mirroredArguments } from '../schema/mirrored-headers.ts';
import { type In, jsonSchema, type Out, refuseNoSchema, type Schema } from '../schema/schema.ts';
import type { Call } from './call.ts';
import type { Content, Icon } from './content.ts';
import type { InputRequired } from './input.ts';
import { refuseNoHandler } from './mistakes.ts';

/**
 * Hints about a tool's behaviour, which clients show to users. They are no guarantee.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
 */
export type ToolAnnotations = {
  readonly title?: string;
  /** The tool does not modify its environment. Default: false. */
  readonly readOnlyHint?: boolean;
  /** The tool may delete or overwrite; meaningful where `readOnlyHint` is false. Default: true. */
  readonly destructiveHint?: boolean;
  /** Repeating a call with the same arguments has no further effect. Default: false. */
  readonly idempotentHint?: boolean;
  /** The tool reaches an open set of external entities, such as the web. Default: true. */
  readonly openWorldHint?: boolean;
};

/** What the model reads, where a tool has nothing more structured to say. */
export type ToolContent = string | Content | readonly Content[];

type Answer<Output> = [Output] extends [Schema]
  ? In<Output> | ToolResult<In<Output>> | InputRequired
  : ToolContent | ToolResult<undefined> | InputRequired | void;

type NoJson = Date | bigint | symbol | Map<never, never> | Set<never> | ((...args: never) => unknown);

/** The names of the members that JSON has no value for. */
type NoJsonIn<Value> = Value extends unknown
  ? {
      [Name in keyof Value]-?: unknown extends Value[Name]
        ? never
        : [Extract<Value[Name], NoJson>] extends [never]
          ? never
          : Name;
    }[keyof Value]
  : never;

/** Does not fit a schema of anything but objects, or of an object with a member that JSON has no value for. */
type TakesJsonObject<Input> =
  unknown extends In<Input>
    ? unknown
    : [In<Input>] extends [readonly unknown[]]
      ? { readonly 'the arguments of a tool are an object': never }
      : [In<Input>] extends [object]
        ? [NoJsonIn<In<Input>>] extends [never]
          ? unknown
          : { readonly 'JSON has no such value': NoJsonIn<In<Input>> }
        : { readonly 'the arguments of a tool are an object': never };

export type ToolDefinition<Input extends Schema, Output extends Schema | undefined, Context> = {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .` */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  /** The schema of the arguments, which is an object's. Without one, the tool takes no arguments. */
  readonly inputSchema?: Input & TakesJsonObject<Input>;
  /** The schema of the value that `run` returns, which clients get as structured content. */
  readonly outputSchema?: Output;
  /**
   * Its calls may go on as tasks, where `run` says `await call.asTask()`; a client that does not know tasks
   * waits (`optional`), or is refused before anything runs (`required`).
   */
  readonly task?: 'optional' | 'required';
  /** Whether `tools/list` shows it; a tool that is not shown answers those who know its name, such as an older one. */
  readonly listed?: boolean;
  /** Throws what the model should read when it cannot be done. */
  readonly run: (args: Out<Input>, context: Context, call: Call) => Answer<Output> | Promise<Answer<Output>>;
};

/** A tool as a server holds it. `Context` is what its handler needs of the server's context. */
export interface Tool<in Context = never> {
  readonly name: string;
  readonly definition: Omit<ToolDefinition<Schema, Schema | undefined, never>, 'run'>;
  readonly input: Schema;
  readonly output: Schema | undefined;
  /** The arguments by name; undefined where any name is accepted. */
  readonly properties: Properties | undefined;
  /** The JSON Schema of the arguments. */
  readonly inputJson: JsonObject;
  readonly outputJson: JsonObject | undefined;
  readonly run: (args: unknown, context: Context, call: Call) => unknown;
}

const noInput = jsonSchema({ type: 'object', additionalProperties: false }, () => ({}));

/**
 * Defines a tool: its description for models, and its handler. Throws an `Error` for an invalid name, and for a
 * schema that cannot be published as JSON Schema.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export function defineTool<
  Input extends Schema = Schema<Record<never, never>>,
  Output extends Schema | undefined = undefined,
  Context = object,
>(definition: ToolDefinition<Input, Output, Context>): Tool<Context> {
  const { name, inputSchema: input = noInput, outputSchema: output } = definition;
  if (typeof name !== 'string' || !/^[\w.-]{1,128}$/.test(name)) {
    throw new Error(
      `Invalid name of a tool: ${JSON.stringify(name)}; expected 1 to 128 of A-Z a-z 0-9 _ - .`,
    );
  }
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
    outputJson: output && describeOutput(output, outputName),
    run: definition.run.bind(definition) as Tool<Context>['run'],
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

/** A result with more to say than its value: text for people beside the structured value, or metadata. */
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
  /** The handler returns this same object many times and never changes it: it is validated and serialized once. */
  readonly immutable?: boolean;
};

/** `structuredContent` must match the tool's output schema; without `content`, the model reads its JSON. */
export function toolResult<Structured = undefined>(
  parts: ToolResultParts<Structured>,
): ToolResult<Structured> {
  return new ToolResult(parts);
}

/** A value as the JSON that it already is. */
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
 * A result whose structured value is JSON already: it is passed on as it is, neither checked nor made and written
 * again. Whoever makes it vouches that it is one line of valid JSON that fits the tool's output schema.
 */
export function jsonResult(parts: {
  content?: ToolContent;
  json: string;
  _meta?: JsonObject;
}): ToolResult<never> {
  const { json, ...rest } = parts;
  return new ToolResult({ ...rest, structuredContent: new JsonText(json) as never });
}

/** A failure the model may act on, with more than a message: structured facts, or other content. */
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
