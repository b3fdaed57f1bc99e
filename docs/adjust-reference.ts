import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// TypeDoc numbers an anchor also after properties in tables, which are no headings for VitePress: `#phase-1` is the
// only heading `Phase`. Such links lose their number.

const directory = join(import.meta.dirname, 'reference');
for (const name of globSync('*.md', { cwd: directory })) {
  const file = join(directory, name);
  const text = readFileSync(file, 'utf8');
  const headings = [...text.matchAll(/^#+ (\w+)/gm)].map(([, title = '']) => title.toLowerCase());
  const adjusted = text.replaceAll(/\(#(\w+)-(\d+)\)/g, (link, title: string, number: string) =>
    headings.filter((each) => each === title).length > Number(number) ? link : `(#${title})`,
  );
  writeFileSync(file, adjusted);
}
