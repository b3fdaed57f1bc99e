/** Options of a request whose timeout is extended by progress, even if the progress is not shown. */
export const extendedByProgress = { onProgress: () => {} } as const;
