import type { JsonObject } from '../jsonrpc/message.ts';
import { describeInput } from '../schema/describe.ts';
import { type In, jsonSchema, type Out, refuseNoSchema, type Schema } from '../schema/schema.ts';
import type { Call } from './call.ts';
import type { Completers } from './completion.ts';
import type { Icon, PromptMessage } from './content.ts';
import type { InputRequired } from './input.ts';
import { refuseNoHandler } from './mistakes.ts';

/** A prompt's messages; a string is one message from the user. */
export type PromptValue =
  | string
  | readonly PromptMessage[]
  | { readonly description?: string; readonly messages: readonly PromptMessage[] };

/** Does not fit a schema with an argument that no string fits. */
type TakesStrings<Input> = {
  [Name in keyof In<Input>]-?: unknown extends In<Input>[Name]
    ? never
    : [Extract<In<Input>[Name], string>] extends [never]
      ? Name
      : never;
}[keyof In<Input>] extends infer Name
  ? [Name] extends [never]
    ? unknown
    : { readonly 'arguments of prompts are strings': Name }
  : never;

export type PromptDefinition<Input extends Schema, Needs, CompletersNeed = Needs> = {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /** An object schema for the arguments, which come as strings: others need `z.coerce`. Without one, none are taken. */
  readonly input?: Input & TakesStrings<Input>;
  /** Suggestions for the arguments. */
  readonly complete?: Completers<string & keyof In<Input>, CompletersNeed>;
  readonly run: (
    args: Out<Input>,
    needs: Needs,
  ) => PromptValue | InputRequired | Promise<PromptValue | InputRequired>;
};

export type PromptArgument = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
};

/** A prompt as a server holds it. */
export interface Prompt<in Needs = never> {
  readonly name: string;
  readonly definition: Omit<PromptDefinition<Schema, never>, 'run' | 'complete'>;
  readonly input: Schema;
  readonly arguments: readonly PromptArgument[];
  readonly complete: Completers<string, Needs>;
  readonly run: (args: unknown, needs: Needs) => unknown;
}

const noInput = jsonSchema({ type: 'object' }, () => ({}));

/** A prompt that users choose by its name, and the messages that it begins a conversation with. */
export function definePrompt<
  Input extends Schema = Schema<Record<never, never>>,
  Needs = Call,
  CompletersNeed = Needs,
>(definition: PromptDefinition<Input, Needs, CompletersNeed>): Prompt<Needs & CompletersNeed> {
  const { name, input = noInput, complete = {} } = definition;
  refuseNoHandler(`prompt "${name}"`, 'run', definition);
  refuseNoSchema(input, `input of the prompt "${name}"`);
  let promptArguments: readonly PromptArgument[] | undefined;
  return {
    name,
    definition,
    input,
    complete: complete as Completers<string, CompletersNeed>,
    get arguments() {
      return (promptArguments ??= listArguments(describeInput(input)));
    },
    run: definition.run.bind(definition) as Prompt<Needs>['run'],
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
