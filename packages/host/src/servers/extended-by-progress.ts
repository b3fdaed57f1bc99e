/** Options of a request whose timeout starts anew with each progress message, even if none is shown. */
export const extendedByProgress = { onProgress: () => {} } as const;
