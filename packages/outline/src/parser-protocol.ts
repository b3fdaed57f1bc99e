import type { LanguageName } from './language-names.ts';
import type { FlatSymbol } from './outline.ts';

export interface ParseRequest {
  readonly text: string;
  readonly language: LanguageName;
  readonly maxSymbols: number;
  /** Milliseconds after which the parser stops by itself, for example because nobody is left to stop it. */
  readonly timeoutMs: number;
}

/** The symbols of a text, or the reason why its parse failed. */
export type ParseResponse =
  | { readonly symbols: readonly FlatSymbol[]; readonly isCut: boolean; readonly hasErrors: boolean }
  | { readonly failure: string };
