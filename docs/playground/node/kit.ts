/** `@mcp/kit/node`, for files in memory, which one worker has for itself. */
export { writeFile as replaceFile } from '../modules/files.ts';

export const withFileLock = <Result>(_: string, run: () => Promise<Result>): Promise<Result> => run();
