import type { Connector } from '../../jsonrpc/channel.ts';
import { HttpChannel, type HttpChannelOptions } from './http-channel.ts';
import { socketAddressOf } from '../wire/socket-url.ts';
import { SseChannel } from './sse-channel.ts';

/**
 * The connector for a server at an `http:` or `https:` URL, or at a Unix socket or a named pipe, over
 * Streamable HTTP or, if the server lacks that, HTTP+SSE. `unix:/run/notes.sock` and `pipe:/pipe/notes` mean
 * the endpoint `/mcp`; `unix:///run/notes.sock#/other` names another, as VS Code writes it. Throws for other
 * schemes, and for a URL with credentials, which belong in `headers`.
 */
export function serverAt(url: string | URL, options: HttpChannelOptions = {}): Connector {
  if (socketAddressOf(url)) return connectorOf(String(url), String(url), options);
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new Error(
      `Invalid URL of a server: ${JSON.stringify(String(url))}; expected http:, https:, unix: or pipe:`,
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new Error(`Invalid URL of a server: it contains credentials; pass them in "headers"`);
  }
  // The name is the URL without its query, which may contain a secret.
  return connectorOf(parsed.href, `${parsed.origin}${parsed.pathname}`, options);
}

function connectorOf(url: string, name: string, options: HttpChannelOptions): Connector {
  return {
    name,
    http: true,
    open: () => new HttpChannel(url, options),
    openFallback: () => new SseChannel(url, options),
  };
}
