import { execFile } from 'node:child_process';

/** The program that opens a page, by system, with the arguments before the address. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a page in the user's browser; returns whether a program was started. Because the addresses come from
 * servers, no shell is used, and only http and https URLs are opened.
 */
export function openBrowser(url: URL, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return Promise.resolve(false);
  const [program, ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[process.platform] ?? ['xdg-open']);
  return new Promise((resolve) => {
    const child = execFile(program!, [...args, url.href], { env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
}
