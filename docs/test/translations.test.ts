import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Block, blocksOf, cellsOf } from './blocks.ts';
import { chinese as chineseSite } from '../.vitepress/chinese.ts';
import { programs } from '../../scripts/host-configurations.ts';
import { repository } from './pages.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

/** The Chinese documents, and the English ones that they translate. */
const translations = new Map(
  globSync(['README.zh-CN.md', 'servers/*/README.zh-CN.md', 'docs/zh-CN/*.md'], { cwd: repository }).map(
    (path): [english: string, chinese: string] => [
      path.replace('.zh-CN.md', '.md').replace('docs/zh-CN/', 'docs/'),
      path,
    ],
  ),
);

test('the first documents that a reader meets are there in Chinese', () => {
  const servers = programs.map(({ name }) => `servers/${name}/README.md`);
  const pages = ['index', 'start', 'what-is-mcp', 'tutorial', 'troubleshooting', 'faq'];
  expect([...translations.keys()].sort()).toEqual(
    ['README.md', ...servers, ...pages.map((name) => `docs/${name}.md`)].sort(),
  );
});

test('each README links to the other language', () => {
  for (const [english, chinese] of translations) {
    if (english.startsWith('docs/')) continue;
    expect(read(english), english).toContain('\n[简体中文](README.zh-CN.md)\n');
    expect(read(chinese), chinese).toContain('\n[English](README.md)\n');
  }
});

test('the Chinese home page and menus lead to Chinese pages where there are any', () => {
  const menus = [chineseSite.themeConfig?.nav, chineseSite.themeConfig?.sidebar].map((each) =>
    JSON.stringify(each),
  );
  const targets = [...menus, read('docs/zh-CN/index.md')].flatMap((text) =>
    Array.from(text.matchAll(/\blink"?: ?"?\/([\w/-]+)/g), ([, target = '']) => target),
  );
  expect(targets).toContain('zh-CN/start');
  expect(targets.filter((target) => translations.has(`docs/${target}.md`))).toEqual([]);
});

describe.each([...translations])('the translation of %s', (english, chinese) => {
  const originals = blocksOf(read(english));
  const translated = blocksOf(read(chinese));
  const pairs = originals.flatMap((block, index): [string, Block, Block][] => {
    const other = translated[index];
    return other ? [[`${block.kind}: ${block.parts[0]!.slice(0, 60)}`, block, other]] : [];
  });

  test('has the same blocks: headings, paragraphs, lists, tables, code', () => {
    expect(translated.map(shapeOf)).toEqual(originals.map(shapeOf));
  });

  test('has the same code', () => {
    for (const [title, original, other] of pairs) {
      if (original.kind.startsWith('code')) expect(other.parts, title).toEqual(original.parts);
    }
  });

  test('has the same names in backticks and the same numbers in each part', () => {
    for (const [title, original, other] of pairs) {
      if (/^(?:code|comment|front|HTML)/.test(original.kind)) continue;
      for (const [index, part] of partsOf(original).entries()) {
        const translation = partsOf(other)[index] ?? '';
        expect(namesIn(translation), `${title}: ${part}`).toEqual(namesIn(part));
        expect(numbersIn(translation), `${title}: ${part}`).toEqual(numbersIn(part));
      }
    }
  });

  test('has the same links, to Chinese documents where there are any', () => {
    for (const [title, original, other] of pairs) {
      const wanted = linksIn(original).map((target) => translatedLink(target, english, chinese));
      expect(linksIn(other).sort(), title).toEqual(wanted.sort());
    }
  });

  test('has no line of English prose', () => {
    const prose = translated.filter(({ kind }) => /^(?:heading|paragraph|list|table)/.test(kind));
    for (const part of prose.flatMap(partsOf)) {
      const words = withoutCode(part).match(/\b[a-z]{2,}\b/g) ?? [];
      expect(words.length < 4 || /\p{Script=Han}/u.test(part), part).toBe(true);
    }
  });
});

function shapeOf({ kind, parts }: Block): string {
  if (/^(?:comment|HTML|front)/.test(kind)) return kind;
  if (/^(?:list|table)/.test(kind)) return `${kind}, ${parts.length} parts`;
  return /^::: \w+/.exec(parts[0]!)?.[0] ?? kind;
}

/** Cells of a table, items of a list, or the text of a block. */
function partsOf({ kind, parts }: Block): readonly string[] {
  return kind.startsWith('table') ? parts.flatMap(cellsOf) : parts;
}

const withoutCode = (text: string) =>
  text.replaceAll(/`[^`]*`|\]\([^)]*\)|https?:\S+/g, ' ').replaceAll('**', '');

function namesIn(text: string): string[] {
  return (text.match(/`[^`]+`/g) ?? []).map((name) => name.replaceAll(/\s+/g, ' ')).sort();
}

function numbersIn(text: string): string[] {
  return (withoutCode(text).match(/\d+(?:[.,:-]\d+)*/g) ?? []).sort();
}

function linksIn({ kind, parts }: Block): string[] {
  if (kind.startsWith('code')) return [];
  // Each language links to the other.
  return [...parts.join('\n').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/(?:^|\/)README(?:\.zh-CN)?\.md$/.test(target) || target.includes('/'));
}

/** A link of the English document as the Chinese one has it; a heading is found by its place. */
function translatedLink(target: string, english: string, chinese: string): string {
  if (/^(?:[a-z]+:|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const found = posix.join(dirname(english), path);
  const document = [found, posix.join(found, 'README.md')].find((each) => translations.has(each));
  const translation = document === undefined ? undefined : translations.get(document);
  const relative = posix.relative(dirname(chinese), translation ?? found);
  if (anchor === undefined) return relative;
  if (document === undefined) return `${relative}#${anchor}`;
  const slug = [english, document].every((each) => each.startsWith('docs/')) ? siteSlugOf : slugOf;
  const index = headingsOf(document).findIndex((heading) => slug(heading) === anchor);
  return `${relative}#${slug(headingsOf(translation!)[index] ?? '')}`;
}

function headingsOf(path: string): string[] {
  expect(existsSync(join(repository, path)), path).toBe(true);
  return blocksOf(read(path)).flatMap(({ kind, parts }) => (kind.startsWith('heading') ? [parts[0]!] : []));
}

/** The anchor of a heading on the site of the documentation, where none begins with a digit. */
const siteSlugOf = (heading: string) => slugOf(heading).replace(/^\d/, '_$&');

/** The anchor of a heading on the site of the repository. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
