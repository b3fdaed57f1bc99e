import type { Language } from './language.ts';

export const json: Language = {
  grammar: 'tree-sitter-json.wasm',
  query: '(pair key: (string) @name) @key',
};
