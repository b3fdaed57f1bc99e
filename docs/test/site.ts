import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SiteVersion } from '../site-versions.ts';
import { docs } from './pages.ts';

/** Which pages of the site to build, and below which path; `versions` are all versions of the site. */
export interface PartOfSite {
  readonly pages: readonly string[];
  readonly base: string;
  readonly versions: readonly SiteVersion[];
}

/** Builds some pages of the site, with its own configuration and theme, and returns the directory. */
export async function buildPages(name: string, { pages, base, versions }: PartOfSite): Promise<string> {
  const root = join(docs, '.generated', name);
  rmSync(root, { recursive: true, force: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('versions.json', JSON.stringify(versions));
  write(
    '.vitepress/config.ts',
    `import { join } from 'node:path';
import config from '../../../.vitepress/config.ts';
export default {
  ...config,
  ignoreDeadLinks: true,
  vite: {
    build: { minify: false },
    resolve: { alias: [{ find: /.*\\/versions\\.json$/, replacement: join(import.meta.dirname, '../versions.json') }] },
  },
};`,
  );
  write('.vitepress/theme/index.ts', `export { default } from '../../../../.vitepress/theme/index.ts';`);
  for (const page of pages) cpSync(join(docs, page), join(root, page));
  cpSync(join(docs, 'public/icon.svg'), join(root, 'public/icon.svg'));
  const vitepress = join(docs, 'node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [vitepress, 'build', root], {
    env: { ...process.env, SITE_BASE: base },
  });
  return join(root, '.vitepress/dist');
}
