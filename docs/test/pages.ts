import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const docs = fileURLToPath(new URL('..', import.meta.url));
export const repository = join(docs, '..');

/** A block of code of a page: ```language [file]. */
export interface CodeBlock {
  readonly language: string;
  readonly file: string | undefined;
  readonly code: string;
  /** A command to run when the command of the block waits for changes. */
  readonly meanwhile: string | undefined;
}

/** The paths of all pages. */
export const pages = globSync(['*.md', 'guides/*.md', 'coming-from/*.md', 'servers/*.md', 'deploy/*.md'], {
  cwd: docs,
});

export const readPage = (path: string) => readFileSync(join(docs, path), 'utf8');

/** The blocks of code of a page, in their order. */
export const codeBlocks = (path: string): CodeBlock[] => blocksIn(readPage(path));

/** The blocks of code of a text in Markdown, in their order. */
export function blocksIn(text: string): CodeBlock[] {
  const fence = /(?:<!-- while it runs: (.+) -->\s*)?^```(\w+)(?: \[(.+)\])?\n([\s\S]*?)^```$/gm;
  return Array.from(text.matchAll(fence), ([, meanwhile, language = '', file, code = '']) => ({
    language,
    file,
    code,
    meanwhile,
  }));
}
