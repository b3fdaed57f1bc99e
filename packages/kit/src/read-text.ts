import { abortable } from './deadline.ts';

/** The limits of one request and its response. */
export interface ExchangeBounds {
  /** Aborts the request, or the reading of the response's body. */
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/** Reads the body of a response as UTF-8. Rejects if it is too long, or if the signal aborts first. */
export async function readText({ body }: Response, { signal, maxBytes }: ExchangeBounds): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  try {
    for (;;) {
      const { value } = (await (reader && abortable(reader.read(), signal))) ?? {};
      if (value === undefined) return text + decoder.decode();
      length += value.byteLength;
      if (length > maxBytes) throw new Error(`the body is longer than ${maxBytes} bytes`);
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    // Throws the first error, even if cancelling the body fails, too.
    void reader?.cancel(error).catch(() => undefined);
    throw error;
  }
}
