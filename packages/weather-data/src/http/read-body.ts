import { invalidReply } from '../json-fields.ts';

/** Returns the text of a body. Throws a `WeatherError` if it exceeds `maxBytes` after decompression. */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the download.
    if (size > maxBytes)
      throw invalidReply(`The reply of ${host(response)} is larger than ${maxBytes} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return decode(Buffer.concat(chunks));
}

/** Invalid UTF-8 is read as Latin-1, which a mirror may send; a wrong guess spoils only labels. */
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
