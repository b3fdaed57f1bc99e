/**
 * Options of a request whose timeout starts again with each progress message. The callback ignores the
 * progress: without any callback, the client would not ask the server for it.
 */
export const extendedByProgress = { onProgress: () => {} } as const;
