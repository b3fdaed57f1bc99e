import type { LanguageName } from '../language-names.ts';
import { c } from './c.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { json } from './json.ts';
import type { Language } from './language.ts';
import { markdown } from './markdown.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';
import { tsx, typescript } from './typescript.ts';

export const languages: Readonly<Record<LanguageName, Language>> = {
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  markdown,
  json,
};
