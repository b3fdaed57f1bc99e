/** The extensions of the files in each language. */
const extensions = {
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  javascript: ['js', 'jsx', 'mjs', 'cjs'],
  python: ['py', 'pyi'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
  c: ['c', 'h'],
  markdown: ['md', 'markdown'],
  json: ['json', 'jsonc'],
} as const;

/** A language that has outlines. */
export type LanguageName = keyof typeof extensions;

/** The languages that have outlines. */
export const languageNames = Object.keys(extensions) as readonly LanguageName[];

const byExtension = new Map<string, LanguageName>(
  languageNames.flatMap((name) => extensions[name].map((extension) => [extension, name] as const)),
);

/** Returns the language of a file by the extension of its name, in any case; undefined for another file. */
export function languageOf(fileName: string): LanguageName | undefined {
  const [, extension = ''] = /\.([a-z]+)$/i.exec(fileName) ?? [];
  return byExtension.get(extension.toLowerCase());
}
