import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// TypeDoc names a page for the path of its source. Here it gets the name of its entry point:
// `protocol.src.http.md` becomes `protocol-http.md`, `@mcp/protocol/http`.
//
// A parameter that is taken apart has no name, and is called `options`.
//
// TypeDoc numbers an anchor also after properties in tables, which are no headings for VitePress:
// `#phase-1` is the only heading `Phase`. Such links lose their number.

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
