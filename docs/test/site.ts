import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { docs } from './pages.ts';

/** Builds some pages of the site, with its own configuration and theme, and returns the directory. */
export async function buildPages(
  name: string,
  pages: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const root = join(docs, '.generated', name);
  rmSync(root, { recursive: true, force: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write(
    '.vitepress/config.ts',
    `import config from '../../../.vitepress/config.ts';
export default { ...config, ignoreDeadLinks: true, vite: {} };`,
  );
  write('.vitepress/theme/index.ts', `export { default } from '../../../../.vitepress/theme/index.ts';`);
  for (const page of pages) cpSync(join(docs, page), join(root, page));
  cpSync(join(docs, 'public/icon.svg'), join(root, 'public/icon.svg'));
  const vitepress = join(docs, 'node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [vitepress, 'build', root], {
    env: { ...process.env, ...env },
  });
  return join(root, '.vitepress/dist');
}
