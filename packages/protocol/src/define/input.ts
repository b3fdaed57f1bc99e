import { describeInput } from '../schema/describe.ts';
import { issuesText, type Out, type Schema } from '../schema/schema.ts';
import { isObject, type JsonObject } from '../jsonrpc/message.ts';
import type { AudioContent, Content, ImageContent, Role, TextContent } from './content.ts';

/** A question to the user, the model, or the host, which the client puts for the server. */
export type InputRequest =
  | { readonly method: 'elicitation/create'; readonly params: ElicitForm | ElicitUrl }
  | { readonly method: 'sampling/createMessage'; readonly params: SamplingParams }
  | { readonly method: 'roots/list'; readonly params?: undefined };

/** `requestedSchema` is a flat object of primitives, as JSON Schema. */
export type ElicitForm = { readonly message: string; readonly requestedSchema: JsonObject };
export type ElicitUrl = { readonly mode: 'url'; readonly message: string; readonly url: string };

/** A call of one of the tools that were offered, in a model's answer. */
export type ToolUse = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};

/** What the call `toolUseId` gave, for the message after it. */
export type ToolUseResult = {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly Content[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
};

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUse | ToolUseResult;

/** A message with tool results has nothing else, and answers every tool use of the one before it. */
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

/** What a handler returns when it cannot go on without answers; it is then called again. */
export class InputRequired {
  readonly requests: { readonly [key: string]: InputRequest };
  readonly state: unknown;

  constructor(requests: { readonly [key: string]: InputRequest }, state: unknown) {
    this.requests = requests;
    this.state = state;
  }
}

/**
 * Asks the client before going on. The handler is called again from its start, with the answers in
 * `call.inputs` and `state` (any JSON value) in `call.state`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function inputRequired(
  requests: { readonly [key: string]: InputRequest },
  state?: unknown,
): InputRequired {
  return new InputRequired(requests, state);
}

/** Asks the user to fill in a form: a flat object of strings, numbers, booleans and choices. Never for secrets. */
export function elicit(message: string, form: Schema): InputRequest {
  const { type, properties, required } = describeInput(form, 'form');
  return {
    method: 'elicitation/create',
    params: { message, requestedSchema: { type, properties, ...(required !== undefined && { required }) } },
  };
}

/** Asks the user to open a page; for what must not pass through the client, such as credentials. */
export function elicitUrl(message: string, url: string): InputRequest {
  if (!URL.canParse(url)) throw new Error(`Not a URL: "${url}"`);
  return { method: 'elicitation/create', params: { mode: 'url', message, url } };
}

/** Asks the client's model to continue a conversation. */
export function sampleModel(params: SamplingParams): InputRequest {
  return { method: 'sampling/createMessage', params };
}

/** Asks which directories the host works in. */
export function listRoots(): InputRequest {
  return { method: 'roots/list' };
}

/**
 * What the user filled in, checked; undefined when there is no answer yet, or when the user declined
 * or closed the form. Throws what is wrong with an answer that does not fit.
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

/** Whether a client with these capabilities (`call.clientCapabilities`) shows forms: one that names no mode of elicitation does. */
export function supportsForms({ elicitation }: JsonObject): boolean {
  return isObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
}
