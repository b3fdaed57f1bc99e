/** The maximum bytes that stderr buffers. */
const maxWaiting = 1024 * 1024;

let opened: NodeJS.WriteStream | undefined;

/**
 * The stderr of this process, opened at the first use: opening takes time, and most servers write nothing.
 */
export function openStderr(): NodeJS.WriteStream {
  // The reader has closed stderr, which is no reason to fail.
  return (opened ??= process.stderr.on('error', () => {}));
}

/** Writes a line to stderr; drops it while the buffer is full. */
export function warnOnStderr(message: string): void {
  const stderr = openStderr();
  if (stderr.writableLength < maxWaiting) stderr.write(`${message}\n`);
}
