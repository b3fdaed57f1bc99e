/** The longest path of a socket in bytes: macOS allows 103, Linux 107. A longer one would be cut. */
const maxBytes = globalThis.process?.platform === 'darwin' ? 103 : 107;

/**
 * Throws an `Error` for a path that no Unix socket can have. The system would use the part of the path before
 * a NUL character, or the part that is not too long: the path of another socket.
 */
export function refuseSocketPath(socketPath: string): void {
  const bytes = new TextEncoder().encode(socketPath).length;
  if (!socketPath.startsWith('/')) refuse(socketPath, 'an absolute path');
  if (socketPath.includes('\0')) refuse(socketPath, 'a path without NUL characters');
  if (bytes > maxBytes) refuse(socketPath, `at most ${maxBytes} bytes, not ${bytes}`);
}

function refuse(socketPath: string, expected: string): never {
  throw new Error(`Invalid path of a socket: ${JSON.stringify(socketPath)}; expected ${expected}`);
}
