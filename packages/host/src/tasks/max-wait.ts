/** The longest wait for the end of a task: a day, in milliseconds. */
export const maxWaitMs = 24 * 60 * 60_000;
