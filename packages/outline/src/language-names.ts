/** The languages that have outlines, each with the extensions of its files. */
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

export type LanguageName = keyof typeof extensions;

export const languageNames = Object.keys(extensions) as readonly LanguageName[];

const byExtension = new Map<string, LanguageName>(
  languageNames.flatMap((name) => extensions[name].map((extension) => [extension, name] as const)),
);

/** Returns the language of a file by the extension of its name, in any letter case; undefined if unknown. */
export function languageOf(fileName: string): LanguageName | undefined {
  const [, extension = ''] = /\.([a-z]+)$/i.exec(fileName) ?? [];
  return byExtension.get(extension.toLowerCase());
}
