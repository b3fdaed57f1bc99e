import { refuseSocketPath } from './socket-path.ts';

/** The address of an endpoint at a Unix domain socket, or at a named pipe of Windows. */
export interface SocketAddress {
  /** The path of the socket, or the name of the pipe, such as `\\\\.\\pipe\\notes`. */
  readonly socketPath: string;
  /** The path of the endpoint, which requests name. */
  readonly path: string;
}

const pipe = /^\\\\[.?]\\pipe\\/i;

/** Whether this is the name of a named pipe of Windows. */
export function isPipe(socketPath: string): boolean {
  return pipe.test(socketPath);
}

/** Writes an address as VS Code does: `unix:///run/notes.sock#/mcp`, or `pipe:///pipe/notes#/mcp`. */
export function socketUrl({ socketPath, path }: SocketAddress): string {
  const segments = isPipe(socketPath)
    ? ['pipe', ...socketPath.replace(pipe, '').split('\\')]
    : socketPath.split('/').slice(1);
  const scheme = isPipe(socketPath) ? 'pipe' : 'unix';
  return `${scheme}:///${segments.map((segment) => encodeURIComponent(segment)).join('/')}#${path}`;
}

/**
 * Reads the URL of a socket or a pipe; undefined for another URL. Without a fragment, the path of the
 * endpoint is `/mcp` after one slash, as servers are told to listen (`unix:/run/notes.sock`), and `/` after
 * three, as in VS Code. Throws for a URL with a host, a query, or no absolute path, and for a path that no
 * Unix socket can have.
 */
export function socketAddressOf(url: string | URL): SocketAddress | undefined {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'unix:' && parsed?.protocol !== 'pipe:') return undefined;
  const { host, pathname, search, hash, protocol, href } = parsed;
  const path = hash !== '' ? hash.slice(1) : href.startsWith(`${protocol}//`) ? '/' : '/mcp';
  const decoded = decodedPath(pathname);
  if (host !== '' || search !== '' || !decoded?.startsWith('/') || decoded === '/' || !path.startsWith('/'))
    throw new Error(
      `Invalid URL of a socket: ${JSON.stringify(String(url))}; expected ${protocol}/path or ${protocol}///path#/endpoint`,
    );
  if (protocol === 'pipe:') return { socketPath: `\\\\.${decoded.replaceAll('/', '\\')}`, path };
  refuseSocketPath(decoded);
  return { socketPath: decoded, path };
}

/** The path of a URL without its percent-encoding; undefined if that is not UTF-8. */
function decodedPath(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}
