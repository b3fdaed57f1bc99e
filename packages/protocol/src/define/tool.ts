import { messageOf } from '../jsonrpc/error.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { describeInput, describeOutput } from '../schema/describe.ts';
import { mirroredArguments } from '../schema/mirrored-headers.ts';
import { type In, jsonSchema, type Out, refuseNoSchema, type Schema } from '../schema/schema.ts';
import type { Call } from './call.ts';
import type { Content, Icon } from './content.ts';
import type { InputRequired } from './input.ts';
import { refuseNoHandler } from './mistakes.ts';

/** What a client may assume about a tool; it tells users, and is no guarantee. */
export type ToolHints = {
  /** Changes nothing. */
  readonly readOnly?: boolean;
  /** May delete or overwrite; assumed of a tool that writes, unless said otherwise. */
  readonly destructive?: boolean;
  /** A second identical call changes nothing more. */
  readonly idempotent?: boolean;
  /** Reaches beyond a closed set of things, such as the web; assumed unless said otherwise. */
  readonly openWorld?: boolean;
};

/** What the model reads, where a tool has nothing more structured to say. */
export type ToolContent = string | Content | readonly Content[];

type Answer<Output> = [Output] extends [Schema]
  ? In<Output> | ToolResult<In<Output>> | InputRequired
  : ToolContent | ToolResult<undefined> | InputRequired | void;

export type ToolDefinition<Input extends Schema, Output extends Schema | undefined, Needs> = {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .` */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly hints?: ToolHints;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /** An object schema for the arguments; a tool without one takes none. */
  readonly input?: Input;
  /** What `run` returns, where a program should be able to read it. */
  readonly output?: Output;
  /**
   * Its calls may go on as tasks, where `run` says `await call.asTask()`; a client that does not know tasks
   * waits (`optional`), or is refused before anything runs (`required`).
   */
  readonly task?: 'optional' | 'required';
  /** Whether `tools/list` shows it; a tool that is not shown answers those who know its name, such as an older one. */
  readonly listed?: boolean;
  /** Throws what the model should read when it cannot be done. */
  readonly run: (args: Out<Input>, needs: Needs) => Answer<Output> | Promise<Answer<Output>>;
};

/** A tool as a server holds it. `Needs` is what its handler takes from the server's context and from the call. */
export interface Tool<in Needs = never> {
  readonly name: string;
  readonly definition: Omit<ToolDefinition<Schema, Schema | undefined, never>, 'run'>;
  readonly input: Schema;
  readonly output: Schema | undefined;
  /** JSON Schema of the arguments, made once when first asked for. */
  readonly inputJson: JsonObject;
  readonly outputJson: JsonObject | undefined;
  readonly run: (args: unknown, needs: Needs) => unknown;
}

const noInput = jsonSchema({ type: 'object', additionalProperties: false }, () => ({}));

/**
 * A tool: what a model reads of it, and what it does. Throws where a client could not be told of it, such as under
 * its name.
 */
export function defineTool<
  Input extends Schema = Schema<Record<never, never>>,
  Output extends Schema | undefined = undefined,
  Needs = Call,
>(definition: ToolDefinition<Input, Output, Needs>): Tool<Needs> {
  const { name, input = noInput, output } = definition;
  if (!/^[\w.-]{1,128}$/.test(name)) {
    throw new Error(`A tool's name is 1 to 128 of A-Z a-z 0-9 _ - . and not "${name}"`);
  }
  refuseNoHandler(`tool "${name}"`, 'run', definition);
  refuseNoSchema(input, `input of the tool "${name}"`);
  if (output) refuseNoSchema(output, `output of the tool "${name}"`);
  let inputJson: JsonObject | undefined;
  let outputJson: JsonObject | undefined;
  return {
    name,
    definition,
    input,
    output,
    get inputJson() {
      return (inputJson ??= objectSchema(name, describeInput(input)));
    },
    get outputJson() {
      return output && (outputJson ??= describeOutput(output));
    },
    run: definition.run.bind(definition) as Tool<Needs>['run'],
  };
}

function objectSchema(name: string, json: JsonObject): JsonObject {
  if (json['type'] !== 'object') throw new Error(`The input of the tool "${name}" must be an object schema`);
  try {
    mirroredArguments(json);
  } catch (error) {
    throw new Error(`The input of the tool "${name}" is wrong: ${messageOf(error)}`, { cause: error });
  }
  return json;
}

/** A result with more to say than its value: text for people beside the structured value, or metadata. */
export class ToolResult<Structured = unknown> {
  readonly content: ToolContent | undefined;
  readonly structured: Structured | undefined;
  readonly meta: JsonObject | undefined;
  readonly lasting: boolean;

  constructor(parts: ToolResultParts<Structured>) {
    this.content = parts.content;
    this.structured = parts.structured;
    this.meta = parts.meta;
    this.lasting = parts.lasting ?? false;
  }
}

type ToolResultParts<Structured> = {
  readonly content?: ToolContent;
  readonly structured?: Structured;
  readonly meta?: JsonObject;
  /** The handler returns this very object many times, and nothing in it changes: it is checked and written as JSON once. */
  readonly lasting?: boolean;
};

/** `structured` must fit the tool's output schema; without `content`, its JSON is what the model reads. */
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
  meta?: JsonObject;
}): ToolResult<never> {
  const { json, ...rest } = parts;
  return new ToolResult({ ...rest, structured: new JsonText(json) as never });
}

/** A failure the model may act on, with more than a message: structured facts, or other content. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly structured: JsonObject | undefined;
  readonly meta: JsonObject | undefined;

  constructor(message: string, parts: { structured?: JsonObject; meta?: JsonObject; cause?: unknown } = {}) {
    super(message, { cause: parts.cause });
    this.structured = parts.structured;
    this.meta = parts.meta;
  }
}
