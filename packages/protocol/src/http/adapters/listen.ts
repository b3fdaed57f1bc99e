import { lstat, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { resolve } from 'node:path';
import { codeOf } from '@mcp/kit';
import { refuseSocketPath } from '../wire/socket-path.ts';
import { isPipe } from '../wire/socket-url.ts';
import { leaving } from './leave-socket.ts';

/** Where a listener accepts connections. */
export type ListenAddress =
  | { readonly host: string; readonly port: number }
  | { readonly socketPath: string };

/**
 * Reads an address of a command line: `[host:]port`, `unix:path` or, on Windows, the name of a pipe. The
 * default host is 127.0.0.1. Returns undefined for another text.
 * @example
 * ```ts
 * import { listenAddressOf } from '@mcp/protocol/http';
 *
 * listenAddressOf('8080'); // { host: '127.0.0.1', port: 8080 }
 * listenAddressOf('unix:/run/notes.sock'); // { socketPath: '/run/notes.sock' }
 * ```
 */
export function listenAddressOf(text: string): ListenAddress | undefined {
  if (/^unix:./.test(text)) return { socketPath: resolve(text.slice('unix:'.length)) };
  if (isPipe(text)) return { socketPath: text };
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (digits === '' || Number(digits) > 65_535) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(digits) };
}

/** Stops listening: calls `close`, which closes the listener. */
export type Leave = (close: () => void) => void;

/**
 * Listens at an address, with a server of `node:http` or `node:net`. Only the user of this process can
 * connect to a socket. Rejects with an `Error` that names the address and the reason. The listener must be
 * closed by the returned function, which does not remove the socket of another process.
 * @example
 * ```ts
 * import { listenAt } from '@mcp/protocol/http';
 * import { createServer } from 'node:net';
 * import { tmpdir } from 'node:os';
 *
 * const listener = createServer((socket) => socket.end('Hello'));
 * const leave = await listenAt(listener, { socketPath: `${tmpdir()}/hello-${process.pid}.sock` });
 * leave(() => listener.close());
 * ```
 */
export async function listenAt(listener: Server, address: ListenAddress): Promise<Leave> {
  if ('port' in address) {
    await listen(listener, address);
    return (close) => close();
  }
  const { socketPath } = address;
  refuseAddress(socketPath);
  try {
    return await listenPrivately(listener, socketPath);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    if (!(await removeAbandoned(socketPath)))
      throw new Error(`Cannot listen on ${socketPath}: another program listens there, or it is a file`);
    return await listenPrivately(listener, socketPath);
  }
}

/** The umask with which only the user of this process can connect to a new socket. */
const privateUmask = 0o177;

/** Listens at a socket to which only the user of this process can connect. */
async function listenPrivately(listener: Server, socketPath: string): Promise<Leave> {
  if (isPipe(socketPath)) {
    await listen(listener, { socketPath });
    return (close) => close();
  }
  // Node creates the socket before `listen` returns. So the umask changes for no other file.
  const umask = process.umask(privateUmask);
  let listening: Promise<void>;
  let leave: Leave;
  try {
    listening = listen(listener, { socketPath });
    leave = leaving(socketPath);
  } finally {
    process.umask(umask);
  }
  await listening;
  return leave;
}

async function listen(listener: Server, address: ListenAddress): Promise<void> {
  const where = 'port' in address ? `${address.host}:${address.port}` : address.socketPath;
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(listenError(error, where));
    listener.once('error', failed);
    const accepted = () => {
      listener.off('error', failed);
      resolve();
    };
    if ('port' in address) listener.listen(address.port, address.host, accepted);
    else listener.listen(address.socketPath, accepted);
  });
}

function refuseAddress(socketPath: string): void {
  if (process.platform !== 'win32') return refuseSocketPath(socketPath);
  if (!isPipe(socketPath))
    throw new Error(
      `Invalid name of a pipe: ${JSON.stringify(socketPath)}; expected a name such as \\\\.\\pipe\\notes`,
    );
}

/**
 * Removes a socket that a process has left which ended without removing it. Returns false for a socket that
 * still accepts connections, for one of another user, and for a file that is not a socket.
 */
async function removeAbandoned(socketPath: string): Promise<boolean> {
  if (isPipe(socketPath)) return false;
  const found = await lstat(socketPath).catch(() => undefined);
  if (!found) return true;
  if (!found.isSocket() || found.uid !== process.getuid?.() || !(await isRefused(socketPath))) return false;
  const now = await lstat(socketPath).catch(() => undefined);
  if (now && (now.ino !== found.ino || now.ctimeMs !== found.ctimeMs)) return false;
  await unlink(socketPath).catch(() => undefined);
  return true;
}

/** Whether no process accepts connections at a socket. */
function isRefused(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const answer = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.once('connect', () => answer(false));
    socket.once('error', (error) => answer(codeOf(error) === 'ECONNREFUSED'));
  });
}

const problems: { readonly [code: string]: string } = {
  EADDRINUSE: 'the port is already in use',
  // Node reports a missing directory of a socket with this code, too.
  EACCES: 'this address needs more rights than the process has, or its directory does not exist',
  EADDRNOTAVAIL: 'this machine does not have this address',
};

function listenError(error: NodeJS.ErrnoException, where: string): Error {
  const problem = problems[error.code ?? ''] ?? error.message;
  return Object.assign(new Error(`Cannot listen on ${where}: ${problem}`, { cause: error }), {
    code: error.code,
  });
}
