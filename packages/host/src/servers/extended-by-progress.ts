/** Options of a request with progress, which extends its timeout, also if the progress is not shown. */
export const extendedByProgress = { progress: () => {} } as const;
