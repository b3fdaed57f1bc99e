import {
  type CallOptions,
  type CallToolResult,
  type Client,
  ClientError,
  type Completion,
  type GetPromptResult,
  type ReadResourceResult,
} from '@mcp/protocol/client';
import { type ResultBlock, textOfAll } from '@mcp/vendors/content';
import type { Call } from './call-file.ts';

/** What a server has answered to a call. */
export interface Answer {
  /** The texts of the result, with an empty line between them; of an error, its message. */
  readonly text: string;
  readonly structuredContent: unknown;
  /** The result as the specification has it; undefined for an error response. */
  readonly result: unknown;
  /** Whether a tool has failed, or the response is an error. */
  readonly isError: boolean;
  /** The code of an error response. */
  readonly code: number | undefined;
  readonly ms: number;
  /** The size of the result as JSON in UTF-8. */
  readonly bytes: number;
}

/** Makes a call. Rejects if no answer comes, or one that the specification does not permit. */
export async function answerTo(client: Client, call: Call, options: CallOptions): Promise<Answer> {
  const started = performance.now();
  try {
    const parts = await request(client, call, options);
    return completeAnswer(parts, performance.now() - started);
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === undefined) throw error;
    const ms = performance.now() - started;
    const text = error.cause instanceof Error ? error.cause.message : error.message;
    const base = { structuredContent: undefined, result: undefined, isError: true, bytes: 0 };
    return { ...base, text, code: error.code, ms };
  }
}

/** The parts of a result that checks are about. */
export type Parts = Pick<Answer, 'text' | 'result'> & Partial<Pick<Answer, 'structuredContent' | 'isError'>>;

/** The answer to a call whose result came after so many milliseconds. */
export function completeAnswer(parts: Parts, ms: number): Answer {
  const bytes = Buffer.byteLength(JSON.stringify(parts.result));
  return { structuredContent: undefined, isError: false, ...parts, code: undefined, ms, bytes };
}

export function toolParts(result: CallToolResult): Parts {
  const { content, structuredContent, isError = false } = result;
  return { result, structuredContent, isError, text: textOfAll(content as readonly ResultBlock[]) };
}

export function resourceParts(result: ReadResourceResult): Parts {
  return { result, text: textOfAll(result.contents.map((resource) => ({ type: 'resource', resource }))) };
}

export function promptParts(result: GetPromptResult): Parts {
  return { result, text: textOfAll(result.messages.map(({ content }) => content as ResultBlock)) };
}

export function completionParts(completion: Completion): Parts {
  return { result: { completion }, text: completion.values.join('\n') };
}

async function request(client: Client, call: Call, options: CallOptions): Promise<Parts> {
  if ('tool' in call) return toolParts(await client.callTool(call.tool, { ...call.arguments }, options));
  if ('resource' in call) return resourceParts(await client.readResource(call.resource, options));
  const args = call.arguments as { readonly [name: string]: string };
  if ('prompt' in call) return promptParts(await client.getPrompt(call.prompt, args, options));
  const { complete, argument, typed } = call;
  const ref = complete.includes('{') ? { resource: complete } : { prompt: complete };
  return completionParts(await client.complete(ref, { name: argument, value: typed }, args, options));
}
