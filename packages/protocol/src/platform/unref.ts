/**
 * Lets the process end before a timer fires. Does nothing in runtimes where a timer is a number and does not
 * keep the process alive.
 */
export function unref(timer: NodeJS.Timeout): NodeJS.Timeout {
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}
