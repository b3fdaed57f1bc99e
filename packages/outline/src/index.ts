// Outlines: the symbols of a source text, each with its kind and lines.
export { Outliner, type OutlinerOptions } from './outliner.ts';
export { OutlineError } from './outline-error.ts';
export { type Outline, type OutlineSymbol, symbolsAt } from './outline.ts';
export { languageOf, type LanguageName, languageNames } from './language-names.ts';
