import { Failure } from '../errors.ts';

/** The text of a body of at most so many bytes, counted after decompression. */
export async function readBody(response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body, and with it the download.
    if (size > mostBytes) {
      throw new Failure('invalid_reply', `The reply of ${host(response)} is larger than ${mostBytes} bytes`);
    }
    chunks.push(chunk as Uint8Array);
  }
  return decode(Buffer.concat(chunks));
}

/** JSON is UTF-8; a mirror that sends Latin-1 all the same is understood, as only labels are affected. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

function host({ url }: Response): string {
  return URL.canParse(url) ? new URL(url).host : 'the server';
}
