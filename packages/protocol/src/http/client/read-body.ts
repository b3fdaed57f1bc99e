import { Buffer } from 'node:buffer';
import { EventParser } from '../wire/event-parser.ts';
import type { ServerEvent } from '../wire/event-stream.ts';
import type { ExchangeResponse } from './exchange.ts';

/** The default maximum length of a message of a server, in bytes. */
export const defaultMaxMessageBytes = 64 * 1024 * 1024;

/** All bodies share this decoder. Without the option `stream`, a decoder keeps no state between bodies. */
let utf8: InstanceType<typeof TextDecoder> | undefined;

/** Returns the body as text; throws if it is longer than `maxBytes`. */
export async function readText(response: ExchangeResponse, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  await response.read((chunk) => {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`A message may have at most ${maxBytes} bytes`);
    chunks.push(chunk);
  });
  utf8 ??= new TextDecoder();
  return utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}

/** The last event id of an ended stream, for resuming it, and the delay that the server requested. */
export interface StreamEnd {
  readonly lastEventId?: string;
  readonly retryMs?: number;
}

/** Reads a stream of events to its end, and never rejects: if the stream failed, `error` is the reason. */
export async function readEvents(
  response: ExchangeResponse,
  maxLength: number,
  take: (event: ServerEvent) => void,
): Promise<StreamEnd & { readonly error?: unknown }> {
  const parser = new EventParser(maxLength);
  const decoder = new TextDecoder();
  let lastEventId: string | undefined;
  let broken: { error?: unknown } = {};
  try {
    await response.read((chunk) => {
      for (const event of parser.read(decoder.decode(chunk, { stream: true }))) {
        lastEventId = event.id ?? lastEventId;
        take(event);
      }
    });
  } catch (error) {
    broken = { error };
  }
  return {
    ...(lastEventId !== undefined && { lastEventId }),
    ...(parser.retryMs !== undefined && { retryMs: parser.retryMs }),
    ...broken,
  };
}

export function isEventStream(response: ExchangeResponse): boolean {
  return /^text\/event-stream/i.test(response.header('content-type') ?? '');
}
