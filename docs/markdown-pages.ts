import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { siteAddress } from './.vitepress/repository-links.ts';
import { firstSentence } from './first-sentence.ts';
import { siteBase } from './site-base.ts';

// Completes the pages that the site also has as Markdown, for models: links out of docs/ lead to where the
// HTML page leads, and each link is checked. llms.txt gets a sentence about each page.

const site = join(import.meta.dirname, '.vitepress/dist');
const pages = globSync('**/*.md', { cwd: site }).map((page) => page.replaceAll('\\', '/'));
const broken: string[] = [];
let links = 0;

for (const page of [...pages, 'llms.txt', 'llms-full.txt']) {
  const text = readFileSync(join(site, page), 'utf8');
  const directory = posix.dirname(page);
  const changed = text.replaceAll(/(\]\()([^)\s]+)\)/g, (link, before: string, href: string) => {
    const address = siteAddress(href, directory);
    if (address === undefined) return link;
    const isPage = address.startsWith('/');
    const [path = '', anchor] = address.split('#');
    return `${before}${isPage ? `${siteBase}${path.slice(1)}.md${anchor ? `#${anchor}` : ''}` : address})`;
  });
  // An image of the site has another name there, and a model reads its description.
  const whole = changed.replaceAll(/!\[([^\]]*)\]\((?![a-z]+:)[^)]*\)/g, '$1');
  writeFileSync(join(site, page), page === 'llms.txt' ? withSentences(whole) : whole);
  // llms-full.txt has the pages of all directories, whose relative links lead nowhere from it.
  if (page !== 'llms-full.txt') check(page, whole);
}
for (const each of new Set(broken)) console.error(each);
if (broken.length > 0) process.exit(1);
console.log(`${pages.length} pages as Markdown, ${links} links: none is broken`);

/** The list of the pages, each with its first sentence. */
function withSentences(list: string): string {
  return list.replaceAll(/^- \[.*\]\((.*)\)$/gm, (line, href: string) => {
    const sentence = firstSentence(readFileSync(join(site, href.slice(siteBase.length)), 'utf8'));
    return sentence === undefined ? line : `${line}: ${sentence}`;
  });
}

function check(page: string, text: string): void {
  for (const [, href = ''] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
    const [path = ''] = href.split('#');
    if (path === '' || /^[a-z]+:/.test(path)) continue;
    links++;
    const file = path.startsWith(siteBase)
      ? path.slice(siteBase.length)
      : posix.join(posix.dirname(page), path);
    if (!existsSync(join(site, file))) broken.push(`${page}: no page ${href}`);
  }
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,})[^]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
}
