import type { Connector } from '../../jsonrpc/channel.ts';
import { HttpChannel, type HttpChannelOptions } from './http-channel.ts';
import { SseChannel } from './sse-channel.ts';

/**
 * The connector for a server at an `http:` or `https:` URL, over Streamable HTTP or, if the server lacks
 * that, HTTP+SSE. Throws for other schemes, and for a URL with credentials, which belong in `headers`.
 */
export function serverAt(url: string | URL, options: HttpChannelOptions = {}): Connector {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new Error(`Invalid URL of a server: ${JSON.stringify(String(url))}; expected http: or https:`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new Error(`Invalid URL of a server: it contains credentials; pass them in "headers"`);
  }
  const { href } = parsed;
  return {
    // The name is the URL without its query, which may contain a secret.
    name: `${parsed.origin}${parsed.pathname}`,
    http: true,
    open: () => new HttpChannel(href, options),
    openFallback: () => new SseChannel(href, options),
  };
}
