import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeBlock, codeBlocks, docs, repository } from './pages.ts';

/** The libraries that pages of coming-from/ have a program of, and where side-by-side/ installs them. */
const places: Readonly<Record<string, string>> = {
  fastmcp: 'bench/side-by-side/fastmcp',
  'mcp-handler': 'bench/side-by-side',
  tmcp: 'bench/side-by-side/tmcp',
  xmcp: 'bench/side-by-side/xmcp',
};

/** The library that a block of TypeScript is written with; undefined for ours. */
export function libraryOf({ code }: CodeBlock): string | undefined {
  return Object.keys(places).find((name) => code.includes(`from '${name}'`));
}

export const foreignLibraries = Object.keys(places);

/** Where a library is installed, or undefined if it is not: `pnpm --dir bench/side-by-side install`. */
export function placeOf(library: string): string | undefined {
  const place = join(repository, places[library]!);
  return existsSync(join(place, 'node_modules', library)) ? place : undefined;
}

/** The programs of a page with another library and the one with ours, as files that find their packages. */
export class LibraryPrograms implements Disposable {
  readonly theirs: readonly string[];
  readonly ours: string;
  readonly #directories: string[] = [];

  /** Throws if the library is not installed. */
  constructor(library: string) {
    const blocks = codeBlocks(`coming-from/${library}.md`).filter(({ language }) => language === 'ts');
    const theirs = blocks.filter((block) => libraryOf(block) === library);
    this.theirs = theirs.map((block) => this.#write(placeOf(library)!, block));
    this.ours = this.#write(
      docs,
      blocks.find((block) => libraryOf(block) === undefined)!,
    );
  }

  #write(place: string, { code }: CodeBlock): string {
    const directory = mkdtempSync(join(place, '.page-'));
    this.#directories.push(directory);
    const file = join(directory, 'server.ts');
    writeFileSync(file, code);
    return file;
  }

  [Symbol.dispose](): void {
    for (const directory of this.#directories) rmSync(directory, { recursive: true, force: true });
  }
}
