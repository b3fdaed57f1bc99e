/**
 * Lets the process end before a timer fires. In some runtimes a timer is a number, and keeps nothing alive.
 */
export function unref(timer: NodeJS.Timeout): NodeJS.Timeout {
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}
