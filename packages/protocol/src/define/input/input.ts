import { isObject } from '@mcp/kit';
import { describe } from '../../schema/describe.ts';
import { issuesText, type Out, type Schema } from '../../schema/schema.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import type { AudioContent, Content, ImageContent, Role, TextContent } from '../content.ts';

/** A request for input from the user, the model or the host, which the client answers. */
export type InputRequest =
  | { readonly method: 'elicitation/create'; readonly params: ElicitForm | ElicitUrl }
  | SamplingRequest
  | RootsRequest;

/** A form for the user, with the schema that validates the user's answer. */
export type FormRequest<S extends Schema = Schema> = {
  readonly method: 'elicitation/create';
  readonly params: ElicitForm;
  readonly form: S;
};
export type UrlRequest = { readonly method: 'elicitation/create'; readonly params: ElicitUrl };
export type SamplingRequest = { readonly method: 'sampling/createMessage'; readonly params: SamplingParams };
export type RootsRequest = { readonly method: 'roots/list'; readonly params?: undefined };

/**
 * What `call.ask` resolves with: the validated values of a form, or undefined if the user declined or closed
 * it; for a page, whether the user agreed to open it; the message of the model; the roots of the host.
 */
export type Answer<Request> =
  Request extends FormRequest<infer S>
    ? Out<S> | undefined
    : Request extends UrlRequest
      ? boolean
      : Request extends SamplingRequest
        ? SamplingResponse
        : Request extends RootsRequest
          ? RootsResponse
          : never;

/** `requestedSchema` is a flat object of primitives, as JSON Schema. */
export type ElicitForm = { readonly message: string; readonly requestedSchema: JsonObject };
export type ElicitUrl = { readonly mode: 'url'; readonly message: string; readonly url: string };

/** A part of a model's answer: a call of one of the tools that the sampling request offered. */
export type ToolUse = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};

/**
 * The result of the tool use with the id `toolUseId`. The next sampling message sends this result to the
 * model.
 */
export type ToolUseResult = {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly Content[];
  /** Any JSON value; up to revision 2025-11-25 it must be an object. */
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
};

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUse | ToolUseResult;

/** A message with tool results has no other content, and answers every tool use of the previous message. */
export type SamplingMessage = {
  readonly role: Role;
  readonly content: SamplingContent | readonly SamplingContent[];
};

export type SamplingParams = {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: JsonObject;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly metadata?: JsonObject;
  /** Only for clients that declare `sampling.tools`. */
  readonly tools?: readonly JsonObject[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
};

export type ElicitResponse = {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: JsonObject;
};
export type SamplingResponse = SamplingMessage & {
  readonly model: string;
  readonly stopReason?: string;
};
export type RootsResponse = { readonly roots: readonly { readonly uri: string; readonly name?: string }[] };
export type InputResponse = ElicitResponse | SamplingResponse | RootsResponse;

/** The client's answers, by the keys of the questions. */
export type Inputs = { readonly [key: string]: InputResponse | undefined };

/** The result of a handler that needs answers from the client, and is then called again with them. */
export class InputRequired {
  readonly requests: { readonly [key: string]: InputRequest };
  readonly state: unknown;

  constructor(requests: { readonly [key: string]: InputRequest }, state: unknown) {
    this.requests = requests;
    this.state = state;
  }
}

/**
 * Asks the client several questions at once; `call.ask` is simpler. The handler returns this value, and is
 * then called again from its start, with the answers in `call.inputs` and with `state` (any JSON value) in
 * `call.state`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @example
 * ```ts
 * import { acceptedContent, defineTool, elicit, inputRequired } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * const form = z.object({ email: z.email() });
 *
 * export const subscribe = defineTool({
 *   name: 'subscribe',
 *   description: 'Subscribes the user to the newsletter.',
 *   async run(_, { inputs }) {
 *     if (!inputs['address']) return inputRequired({ address: elicit('Which address?', form) });
 *     const answer = await acceptedContent(inputs['address'], form);
 *     return answer ? `Subscribed ${answer.email}` : 'The user declined';
 *   },
 * });
 * ```
 */
export function inputRequired(
  requests: { readonly [key: string]: InputRequest },
  state?: unknown,
): InputRequired {
  return new InputRequired(requests, state);
}

/**
 * Asks the user to fill in a form: a flat object of strings, numbers, booleans and choices. A form must not
 * ask for secrets.
 * @example
 * ```ts
 * import { elicit } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * elicit('Which size?', z.object({ size: z.enum(['small', 'large']) }));
 * ```
 */
export function elicit<S extends Schema>(message: string, form: S): FormRequest<S> {
  const { type, properties, required } = describe(form, 'input', 'form');
  const requestedSchema = { type, properties, ...(required !== undefined && { required }) };
  return { method: 'elicitation/create', params: { message, requestedSchema }, form };
}

/**
 * Asks the user to open a page, for data that must not pass through the client, such as credentials. Throws
 * for an invalid URL.
 * @example
 * ```ts
 * import { elicitUrl } from '@mcp/protocol';
 *
 * elicitUrl('Sign in to continue.', 'https://example.com/sign-in');
 * ```
 */
export function elicitUrl(message: string, url: string): UrlRequest {
  if (!URL.canParse(url)) throw new Error(`Not a URL: "${url}"`);
  return { method: 'elicitation/create', params: { mode: 'url', message, url } };
}

/**
 * Asks the client's model to continue a conversation.
 * @example
 * ```ts
 * import { sampleModel, textContent } from '@mcp/protocol';
 *
 * sampleModel({
 *   messages: [{ role: 'user', content: textContent('Name a colour.') }],
 *   maxTokens: 10,
 * });
 * ```
 */
export function sampleModel(params: SamplingParams): SamplingRequest {
  return { method: 'sampling/createMessage', params };
}

/**
 * Asks which directories the host works in.
 * @example
 * ```ts
 * import { inputRequired, listRoots } from '@mcp/protocol';
 *
 * inputRequired({ roots: listRoots() });
 * ```
 */
export function listRoots(): RootsRequest {
  return { method: 'roots/list' };
}

/**
 * The validated content of a form; undefined if there is no answer yet, and if the user declined or closed
 * the form. Throws an `Error` for an answer that does not match the form.
 * @example
 * ```ts
 * import { acceptedContent } from '@mcp/protocol';
 * import { z } from 'zod';
 *
 * const form = z.object({ size: z.enum(['small', 'large']) });
 * await acceptedContent({ action: 'accept', content: { size: 'small' } }, form); // { size: 'small' }
 * await acceptedContent({ action: 'decline' }, form); // undefined
 * ```
 */
export async function acceptedContent<S extends Schema>(
  response: InputResponse | undefined,
  form: S,
): Promise<Out<S> | undefined> {
  if (!response || !('action' in response) || response.action !== 'accept') return undefined;
  const checked = await form['~standard'].validate(response.content ?? {});
  if (checked.issues) throw new Error(`The answer does not fit the form: ${issuesText(checked.issues)}`);
  return checked.value as Out<S>;
}

/**
 * Whether a client with these capabilities (`call.clientCapabilities`) supports forms. A client that declares
 * elicitation without a mode supports forms.
 * @example
 * ```ts
 * import { supportsForms } from '@mcp/protocol';
 *
 * supportsForms({ elicitation: {} }); // true
 * supportsForms({ elicitation: { url: {} } }); // false
 * ```
 */
export function supportsForms({ elicitation }: JsonObject): boolean {
  return isObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
}
