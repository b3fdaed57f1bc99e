import type { JsonObject } from '../jsonrpc/message.ts';
import { type Properties, propertiesOf } from '../schema/argument-schema.ts';
import { describe } from '../schema/describe.ts';
import { type In, jsonSchema, type Out, refuseNoSchema, type Schema } from '../schema/schema.ts';
import type { Call, Completers } from './call.ts';
import type { Caller } from './caller.ts';
import type { Icon, PromptMessage } from './content.ts';
import type { InputRequired } from './input/input.ts';
import { refuseNoHandler, refuseNoName } from './mistakes.ts';
import type { TakesJsonObject } from './input/takes-json-object.ts';

/** A prompt's messages; a string is one message from the user. */
export type PromptValue =
  | string
  | readonly PromptMessage[]
  | { readonly description?: string; readonly messages: readonly PromptMessage[] };

/** A prompt as its author writes it; `description` is for the user and the model. */
export type PromptDefinition<
  Input extends Schema,
  Context,
  CompletersContext = Context,
  Who = Caller | undefined,
> = {
  /** The name that a client requests the prompt by. */
  readonly name: string;
  /** The name that a host shows to a person. */
  readonly title?: string;
  /** The purpose of the prompt. */
  readonly description: string;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  /**
   * The schema of the arguments, which must describe an object. Clients send strings: decimal text is taken
   * as a number, `"true"` as a boolean, JSON text as an array or object. Default: no arguments.
   */
  readonly inputSchema?: Input & TakesJsonObject<Input>;
  /**
   * The scopes that a caller needs. For a caller without them, lists omit the prompt and requests for it are
   * refused; over HTTP, the response is a 403 that names the missing scopes. Default: none.
   */
  readonly requires?: readonly string[];
  /** Suggestions for the arguments. */
  readonly complete?: Completers<string & keyof In<Input>, CompletersContext, Who>;
  /** Returns the messages; a string is one user message. A thrown error becomes the JSON-RPC error. */
  readonly run: (
    args: Out<Input>,
    call: Call<Context, Who>,
  ) => PromptValue | InputRequired | Promise<PromptValue | InputRequired>;
};

export type PromptArgument = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
};

/** A prompt as a server stores it. */
export interface Prompt<in Context = never, in Who = Caller | undefined> {
  readonly name: string;
  readonly definition: Omit<PromptDefinition<Schema, never>, 'run' | 'complete'>;
  readonly input: Schema;
  readonly arguments: readonly PromptArgument[];
  /** The schemas of the arguments by name; undefined if the prompt accepts arguments of any name. */
  readonly properties: Properties | undefined;
  readonly inputJson: JsonObject;
  readonly complete: Completers<string, Context, Who>;
  readonly run: (args: unknown, call: Call<Context, Who>) => unknown;
}

const noInput = jsonSchema({ type: 'object' }, () => ({}));

/**
 * Defines a prompt: messages that begin a conversation. Users choose a prompt by its name. Throws an `Error`
 * for a schema that does not describe an object.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @example
 * ```ts
 * import { definePrompt } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * export const shorten = definePrompt({
 *   name: 'shorten',
 *   description: 'Asks for a shorter text.',
 *   inputSchema: z.object({ text: z.string(), words: z.number().default(50) }),
 *   run: ({ text, words }) => `Shorten this to ${words} words: ${text}`,
 * });
 * ```
 */
export function definePrompt<
  Input extends Schema = Schema<Record<never, never>>,
  Context = object,
  CompletersContext = Context,
  Who = Caller | undefined,
>(
  definition: PromptDefinition<Input, Context, CompletersContext, Who>,
): Prompt<Context, Who> | Prompt<CompletersContext, Who> {
  const { name, inputSchema: input = noInput, complete = {} } = definition;
  refuseNoName('prompt', name);
  refuseNoHandler(`prompt "${name}"`, 'run', definition);
  const inputName = `inputSchema of the prompt "${name}"`;
  refuseNoSchema(input, inputName);
  const json = describe(input, 'input', inputName);
  if (json['type'] !== 'object')
    throw new Error(`The ${inputName} must be a schema of objects, such as z.object({ … })`);
  return {
    name,
    definition,
    input,
    complete: complete as Completers<string, unknown, Who>,
    arguments: listArguments(json),
    properties: propertiesOf(json),
    inputJson: json,
    run: definition.run.bind(definition) as Prompt<unknown, Who>['run'],
  };
}

function listArguments(json: JsonObject): PromptArgument[] {
  const required = (json['required'] ?? []) as readonly string[];
  const properties = (json['properties'] ?? {}) as { [name: string]: JsonObject };
  return Object.entries(properties).map(([name, { title, description }]) => ({
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(required.includes(name) && { required: true }),
  }));
}
