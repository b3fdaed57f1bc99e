/** `pathToFileURL` of `node:url`, for absolute paths. */
export const pathToFileURL = (path: string): URL => new URL(`file://${path}`);
