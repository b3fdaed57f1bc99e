/** Waits for `done`, but no longer than `ms`. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
