/** Waits for `done`, successful or not, but no longer than `ms`. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.max(0, ms))));
  try {
    await Promise.race([done.catch(() => {}), late]);
  } finally {
    clearTimeout(timer);
  }
}
