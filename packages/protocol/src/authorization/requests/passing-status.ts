/** Whether the same request may succeed later: a server in trouble, or too many requests. */
export function isPassing(status: number): boolean {
  return status >= 500 || status === 429;
}
