/** Bytes that may wait for stderr to be read. */
const maxWaiting = 1024 * 1024;

let opened: NodeJS.WriteStream | undefined;

/** This process's stderr, opened when it is first needed: that takes time, and most conversations are quiet. */
export function openStderr(): NodeJS.WriteStream {
  // Nobody reads it any more: nothing to fail for.
  return (opened ??= process.stderr.on('error', () => {}));
}

/** Writes a line to stderr, unless too much of it waits to be read. */
export function warnOnStderr(message: string): void {
  const stderr = openStderr();
  if (stderr.writableLength < maxWaiting) stderr.write(`${message}\n`);
}
