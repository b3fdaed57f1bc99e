/**
 * Options of a request whose timeout starts anew with each progress message, even if the progress is not
 * shown: a request without `onProgress` gets no progress.
 */
export const extendedByProgress = { onProgress: () => {} } as const;
