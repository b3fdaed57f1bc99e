import { readFileSync } from 'node:fs';
import { Language, Parser, Query } from 'web-tree-sitter';
import { languages } from '../languages/languages.ts';
import type { LanguageName } from '../language-names.ts';
import type { ParseRequest, ParseResponse } from '../parser-protocol.ts';
import { findSymbols } from './find-symbols.ts';
import { nestHeadings } from './nest-headings.ts';

// The program of the process that parses. Its argument is the maximum memory of WebAssembly in bytes. The
// outliner kills it after a parse that is too slow, and after an error, because the error may have damaged
// the memory of tree-sitter.

declare global {
  namespace WebAssembly {
    /** Declares only what is used here, because the types of Node do not declare WebAssembly. */
    class Memory {
      constructor(pages: { readonly initial: number; readonly maximum: number });
    }
  }
}

const pageBytes = 65_536;
/** The memory of tree-sitter. It begins with 512 pages (32 MiB), the least that tree-sitter needs. */
const wasmMemory = new WebAssembly.Memory({
  initial: 512,
  maximum: Math.floor(Number(process.argv[2]) / pageBytes),
});
/**
 * Suppresses the messages that tree-sitter prints: faults are thrown as errors, and stdout may carry a
 * protocol.
 */
const silent = { print() {}, printErr() {} };

/** The same URL works for the sources and for the bundle, because their directories are siblings. */
const grammars = new URL('../../dist/grammars/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, grammars));

interface Loaded {
  readonly language: Language;
  readonly query: Query;
}

const loaded = new Map<LanguageName, Promise<Loaded>>();
const started = Parser.init({ wasmMemory, wasmBinary: read('web-tree-sitter.wasm'), ...silent });

async function load(name: LanguageName): Promise<Loaded> {
  await started;
  const { grammar, query } = languages[name];
  const language = await Language.load(read(grammar));
  return { language, query: new Query(language, query) };
}

async function parse({ text, language: name, maxSymbols, timeoutMs }: ParseRequest): Promise<ParseResponse> {
  if (!loaded.has(name)) loaded.set(name, load(name));
  const { language, query } = await loaded.get(name)!;
  const parser = new Parser();
  parser.setLanguage(language);
  // The grammars of some languages require a line break at the end of the text.
  const end = performance.now() + timeoutMs;
  const progressCallback = () => performance.now() > end;
  const tree = parser.parse(text.endsWith('\n') ? text : `${text}\n`, null, { progressCallback });
  if (!tree)
    throw new Error(
      `The parser of ${name} stopped without a result; the text may be read without its outline`,
    );
  const found = findSymbols(tree.rootNode, query, text.length, maxSymbols);
  const hasErrors = tree.rootNode.hasError;
  tree.delete();
  parser.delete();
  return {
    ...found,
    symbols: name === 'markdown' ? nestHeadings(found.symbols, text) : found.symbols,
    hasErrors,
  };
}

process.on('message', (request: ParseRequest) => {
  parse(request).then(respond, (error: unknown) =>
    respond({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
// The process that wants outlines has ended.
process.on('disconnect', () => process.exit());

function respond(response: ParseResponse): void {
  process.send!(response, () => {});
}
