import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { siteBase } from './site-base.ts';
import { isOtherVersion } from './site-versions.ts';

// Checks every link and anchor inside the built site. VitePress checks pages, not anchors.

const site = join(import.meta.dirname, '.vitepress/dist');
const pages = new Map(
  globSync('**/*.html', { cwd: site }).map((page) => {
    const html = readFileSync(join(site, page), 'utf8');
    return [page.replaceAll('\\', '/'), { html, ids: new Set(attributes(html, 'id')) }];
  }),
);

let links = 0;
const broken: string[] = [];
for (const [page, { html }] of pages) {
  for (const target of [...attributes(html, 'href'), ...attributes(html, 'src')]) {
    if (/^(?:[a-z]+:|\/\/)/.test(target) || isOtherVersion(target, siteBase)) continue;
    links++;
    const [address = '', anchor = ''] = decodeURIComponent(target).split('#');
    const path = address.replace(/\?.*/, '');
    const isBelow = path.startsWith(siteBase);
    const file =
      path === '' ? page : isBelow ? path.slice(siteBase.length) : posix.join(posix.dirname(page), path);
    const found = fileOf(file);
    if (found === undefined) broken.push(`${page}: no page ${target}`);
    else if (anchor !== '' && !pages.get(found)?.ids.has(anchor)) broken.push(`${page}: no anchor ${target}`);
  }
}
for (const each of new Set(broken)) console.error(each);
if (broken.length > 0) process.exit(1);
console.log(`${pages.size} pages, ${links} links: none is broken`);

/** The file of the site that a server sends for a path. */
function fileOf(path: string): string | undefined {
  return [path, `${path}.html`, posix.join(path, 'index.html')].find((each) => {
    const file = join(site, each);
    return existsSync(file) && statSync(file).isFile();
  });
}

function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );
}
