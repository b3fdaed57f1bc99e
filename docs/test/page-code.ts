import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeBlocks, docs } from './pages.ts';

/** The TypeScript of pages as modules. They are in the repository, so that they find its packages. */
export class PageCode implements Disposable {
  readonly directory: string;
  #files = 0;

  constructor() {
    mkdirSync(join(docs, '.generated'), { recursive: true });
    this.directory = mkdtempSync(join(docs, '.generated/guide-'));
  }

  /** Evaluates the block of a page that exports `name`, anew for each call, and returns all its exports. */
  async load<Module>(page: string, name: keyof Module & string): Promise<Module> {
    const block = codeBlocks(page).find(
      ({ language, code }) => language === 'ts' && new RegExp(`^export const ${name}\\b`, 'm').test(code),
    );
    if (block === undefined) throw new Error(`No block of ${page} exports "${name}"`);
    const file = join(this.directory, `${++this.#files}.ts`);
    writeFileSync(file, block.code);
    return (await import(pathToFileURL(file).href)) as Module;
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
