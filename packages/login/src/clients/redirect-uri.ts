import { reachOf } from '@mcp/kit/node';

/** Schemes in which a browser shows or runs what the URI itself has, and those of other protocols. */
const refusedSchemes = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);
const maxLength = 2_048;

/**
 * A redirect URI that may be registered: HTTPS, HTTP on the loopback, or `scheme://` of an application,
 * in ASCII, without fragment, user and backslash, which parsers read differently. Undefined for other text.
 * @see https://www.rfc-editor.org/rfc/rfc8252#section-7
 */
export function parseRedirectUri(text: string): URL | undefined {
  if (text.length > maxLength || /[^!-~]|[\\#]/.test(text) || !/^[a-z][a-z\d+.-]*:\/\/[^/]/i.test(text))
    return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username !== '' || url.password !== '' || /^[^/]*:\/\/[^/?]*@/.test(text)) return undefined;
  if (refusedSchemes.has(url.protocol)) return undefined;
  return url.protocol !== 'http:' || isLoopback(url) ? url : undefined;
}

/**
 * Whether a redirect URI is a registered one: the same text or, on the loopback, one with another port.
 * @see https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 */
export function isRegistered(text: string, registered: readonly string[]): boolean {
  return registered.includes(text) || registered.some((each) => differInPort(text, each));
}

/** Whether the browser sends the answer to a program on the computer of the user. */
export function isLoopback({ hostname }: URL): boolean {
  return reachOf(hostname) === 'loopback';
}

function differInPort(one: string, other: string): boolean {
  const [a, b] = [parseRedirectUri(one), parseRedirectUri(other)];
  if (a?.protocol !== 'http:' || b?.protocol !== 'http:') return false;
  a.port = '';
  b.port = '';
  return a.href === b.href;
}
