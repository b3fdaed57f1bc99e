import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// TypeDoc names a page for the path of its source. Here it gets the name of its entry point:
// `protocol.src.http.md` becomes `protocol-http.md`, with the title `@mcp/protocol/http`.
//
// TypeDoc calls a destructured parameter `__namedParameters`. Here it is called `options`.
//
// TypeDoc also counts the properties in tables when it numbers equal anchors; VitePress counts only headings.
// So a link to `#phase-1` becomes `#phase` if the page has only one heading `Phase`.

const directory = join(import.meta.dirname, 'reference');
const pages = new Map(globSync('*.md', { cwd: directory }).map((name) => [name, read(name)]));
for (const name of pages.keys()) rmSync(join(directory, name));
for (const [name, text] of pages) {
  const adjusted = text
    .replaceAll('`__namedParameters', '`options')
    .replaceAll(/\| - (?=\|)/g, '|  ')
    .replace(/^# ([\w-]+)\/src(\/[\w-]+)?$/m, '# @mcp/$1$2')
    .replaceAll(/\]\(([\w.-]+\.md)?(#[\w-]+)?\)/g, (_, page = '', anchor = '') => {
      return `](${fileOf(page)}${anchorIn(pages.get(page || name) ?? '', anchor)})`;
    });
  writeFileSync(join(directory, fileOf(name)), adjusted);
}

function read(name: string): string {
  return readFileSync(join(directory, name), 'utf8');
}

function fileOf(page: string): string {
  return page.replace('.src', '').replace(/\.(?!md$)/, '-');
}

function anchorIn(text: string, anchor: string): string {
  const [, title, number] = /^#(\w+)-(\d+)$/.exec(anchor) ?? [];
  const headings = [...text.matchAll(/^#+ (\w+)/gm)].map(([, heading = '']) => heading.toLowerCase());
  return number === undefined || headings.filter((each) => each === title).length > Number(number)
    ? anchor
    : `#${title}`;
}
