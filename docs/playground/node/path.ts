/** `node:path`, for absolute paths without `..`. */
export const join = (...parts: readonly string[]): string => parts.join('/').replaceAll(/\/+/g, '/');

export const dirname = (path: string): string => path.replace(/\/[^/]*$/, '') || '/';
