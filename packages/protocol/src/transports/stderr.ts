/** Bytes that may wait for somebody to read stderr. */
const maxWaiting = 1024 * 1024;

let opened: NodeJS.WriteStream | undefined;

/** This process's stderr, opened when it is first needed: that takes time, and most conversations are quiet. */
export function openStderr(): NodeJS.WriteStream {
  // Nobody reads it any more: nothing to fail for.
  return (opened ??= process.stderr.on('error', () => {}));
}

/** Tells the operator something, unless nobody has read for long. */
export function warnOnStderr(message: string): void {
  const stderr = openStderr();
  if (stderr.writableLength < maxWaiting) stderr.write(`${message}\n`);
}
