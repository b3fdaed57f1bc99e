/** Options of a request that asks for progress, which extends its timeout, also where it is not shown. */
export const extendedByProgress = { progress: () => {} } as const;
