/** The maximum number of bytes that may wait to be written to stderr. */
const maxWaiting = 1024 * 1024;

let opened: NodeJS.WriteStream | undefined;

/** The stderr of this process. It is opened at the first use, because most servers write nothing to it. */
export function openStderr(): NodeJS.WriteStream {
  // If the reader has closed stderr, writing emits an error event. Without a listener, this event would end
  // the process.
  return (opened ??= process.stderr.on('error', () => {}));
}

/** Writes a line to stderr; drops it while the buffer is full. */
export function warnOnStderr(message: string): void {
  const stderr = openStderr();
  if (stderr.writableLength < maxWaiting) stderr.write(`${message}\n`);
}
