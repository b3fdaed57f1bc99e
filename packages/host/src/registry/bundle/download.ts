import { createHash } from 'node:crypto';
import { abortable, fetchErrorText, isRedirect } from '@mcp/kit';
import { usageError } from '../../errors.ts';
import { redirected } from '../registry.ts';

const maxBytes = 256 * 1024 * 1024;
const timeoutMs = 10 * 60_000;
const maxRedirects = 5;

export interface Download {
  readonly url: string;
  /** The SHA-256 of the file in hexadecimal, which the registry states. */
  readonly sha256: string;
  /** The registry: the file, and each redirect, must be at an address that is as safe. */
  readonly registry: URL;
  readonly signal: AbortSignal;
}

/** Downloads a file of at most 256 MiB, and compares it with its digest. Rejects with a `HostError`. */
export async function download({ url, sha256, registry, signal }: Download): Promise<Buffer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let current = redirected(registry, url, registry);
  try {
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await abortable(fetch(current, { redirect: 'manual', signal: limit }), limit);
      const location = response.headers.get('location');
      if (isRedirect(response) && location !== null) {
        await response.body?.cancel();
        current = redirected(current, location, registry);
        continue;
      }
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const bytes = await bodyOf(response);
      const digest = createHash('sha256').update(bytes).digest('hex');
      if (digest === sha256.toLowerCase()) return bytes;
      throw new Error(`its SHA-256 is ${digest}, and the registry says ${sha256}`);
    }
    throw new Error(`it redirects more than ${maxRedirects} times`);
  } catch (error) {
    signal.throwIfAborted();
    throw usageError(`The bundle "${url}" cannot be used: ${fetchErrorText(error)}`, undefined, error);
  }
}

async function bodyOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
