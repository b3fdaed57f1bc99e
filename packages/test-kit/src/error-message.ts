/** Returns the message of the error that `work` throws or rejects with; throws if `work` succeeds. */
export async function errorMessage(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('Nothing was thrown');
}
