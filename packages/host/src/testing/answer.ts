import type { CallOptions, Client } from '@mcp/protocol/client';
import { ClientError } from '@mcp/protocol/client';
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
    const ms = performance.now() - started;
    const bytes = Buffer.byteLength(JSON.stringify(parts.result));
    return { structuredContent: undefined, isError: false, ...parts, code: undefined, ms, bytes };
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === undefined) throw error;
    const ms = performance.now() - started;
    const text = error.cause instanceof Error ? error.cause.message : error.message;
    const base = { structuredContent: undefined, result: undefined, isError: true, bytes: 0 };
    return { ...base, text, code: error.code, ms };
  }
}

type Parts = Pick<Answer, 'text' | 'result'> & Partial<Pick<Answer, 'structuredContent' | 'isError'>>;

async function request(client: Client, call: Call, options: CallOptions): Promise<Parts> {
  if ('tool' in call) {
    const result = await client.callTool(call.tool, { ...call.arguments }, options);
    const { content, structuredContent, isError = false } = result;
    return { result, structuredContent, isError, text: textOfAll(content as readonly ResultBlock[]) };
  }
  if ('resource' in call) {
    const result = await client.readResource(call.resource, options);
    return { result, text: textOfAll(result.contents.map((resource) => ({ type: 'resource', resource }))) };
  }
  const args = call.arguments as { readonly [name: string]: string };
  if ('prompt' in call) {
    const result = await client.getPrompt(call.prompt, args, options);
    return { result, text: textOfAll(result.messages.map(({ content }) => content as ResultBlock)) };
  }
  const { complete, argument, typed } = call;
  const ref = complete.includes('{') ? { resource: complete } : { prompt: complete };
  const completion = await client.complete(ref, { name: argument, value: typed }, args, options);
  return { result: { completion }, text: completion.values.join('\n') };
}
