import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { crawl } from './crawl.ts';
import { search } from './search-index.ts';
import { siteBase } from './site-base.ts';

// Checks the built site as it is served, with the configured base path and with another one: no request of
// any page fails, and the search finds the right pages for words that readers search for.

const dist = join(import.meta.dirname, '.vitepress/dist');
const below = join(import.meta.dirname, '.generated/below');
const problems: string[] = [];

await crawled(dist, siteBase);
// The other base path: GitHub Pages serves a site at `/` of its own domain, or at `/<repository>/`.
const base = siteBase === '/' ? '/servers/' : '/';
execFileSync(process.execPath, [viteProgram(), 'build', '--outDir', below], {
  cwd: import.meta.dirname,
  env: { ...process.env, SITE_BASE: base },
});
await crawled(below, base);
rmSync(below, { recursive: true });

for (const [query, page] of [
  ['claude desktop', 'servers/filesystem'],
  ['claude desktop', 'servers/weather'],
  ['gemini cli', 'servers/git'],
  ['allow-write', 'servers/sqlite'],
  ['subscription', ''],
  ['elicitation', 'guides/ask-the-user'],
  ['elicitation', 'guides/test'],
] as const) {
  const found = await search(dist, query);
  if (!found.slice(0, 10).some((each) => each.includes(page)))
    problems.push(`The search for "${query}" finds ${found.slice(0, 10).join(', ') || 'nothing'}`);
}

for (const each of problems) console.error(each);
process.exitCode = problems.length === 0 ? 0 : 1;

async function crawled(directory: string, path: string): Promise<void> {
  const { requests, pages, missing } = await crawl(directory, path);
  console.log(`${path}: ${requests} addresses on ${pages} pages, ${missing.length} are missing`);
  problems.push(...missing.map((each) => `Missing below ${path}: ${each}`));
}

function viteProgram(): string {
  return join(import.meta.dirname, 'node_modules/vitepress/bin/vitepress.js');
}
