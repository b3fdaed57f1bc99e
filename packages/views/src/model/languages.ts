/** How the tokens of a language look. The parts are regular expressions. */
export interface Language {
  readonly comment: string;
  readonly string: string;
  readonly keywords: ReadonlySet<string>;
}

const quotes = String.raw`"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)`;
const backticks = `${quotes}|\`(?:[^\`\\\\]|\\\\.)*(?:\`|$)`;
const slashes = String.raw`//.*|/\*.*?(?:\*/|$)|^\s*\*(?:\s.*|/)?$`;
const hashes = String.raw`#.*`;
const words = (text: string) => new Set(text.split(' '));

const common =
  'if else for while do return break continue switch case default class new this try catch finally throw in of import export from as true false null';
const script = `${common} const let var function async await yield typeof instanceof delete void extends super static get set undefined interface type enum implements readonly declare namespace satisfies keyof public private protected abstract override using`;
const typed = `${common} int long short char float double bool boolean void unsigned signed struct union enum typedef static const final public private protected extends implements interface package using namespace template virtual override include define ifdef ifndef endif throws super abstract auto byte string var val fun func object when let guard self nil is where sizeof nullptr`;
const languages = {
  script: { comment: slashes, string: backticks, keywords: words(script) },
  typed: { comment: slashes, string: quotes, keywords: words(typed) },
  rust: {
    comment: slashes,
    string: String.raw`"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)'`,
    keywords: words(
      'fn let mut pub struct enum impl trait for in if else match while loop return break continue use mod crate self Self super as where const static ref move unsafe async await dyn type true false',
    ),
  },
  go: {
    comment: slashes,
    string: backticks,
    keywords: words(
      'package import func var const type struct interface map chan go defer return if else for range switch case default break continue select fallthrough nil true false make new',
    ),
  },
  python: {
    comment: hashes,
    string: quotes,
    keywords: words(
      'def class return if elif else for while in not and or is import from as with try except finally raise pass break continue lambda yield None True False global nonlocal async await self assert del match case',
    ),
  },
  shell: {
    comment: String.raw`(?:^|(?<=\s))#.*`,
    string: quotes,
    keywords: words(
      'if then else elif fi for while until do done case esac in function return export local set unset exit echo cd source end begin def module require true false nil FROM RUN COPY CMD ENV ARG WORKDIR ENTRYPOINT USER',
    ),
  },
  sql: {
    comment: String.raw`--.*|/\*.*?(?:\*/|$)`,
    string: quotes,
    keywords: words(
      'select from where insert into values update set delete create table index view drop alter add primary key references not null unique join left right inner outer on group by order having limit as and or in is like distinct union all begin commit with case when then else end default integer text real blob function local return if do',
    ),
  },
  markup: {
    comment: '<!--.*?(?:-->|$)',
    string: quotes,
    keywords: words('html head body div span script style link meta title svg path template slot'),
  },
  style: {
    comment: String.raw`/\*.*?(?:\*/|$)|^\s*//.*`,
    string: quotes,
    keywords: words('var calc important media import supports layer keyframes font-face auto none inherit'),
  },
  data: {
    comment: String.raw`^\s*(?://|#).*|\s#\s.*`,
    string: quotes,
    keywords: words('true false null yes no on off'),
  },
} satisfies Readonly<Record<string, Language>>;

/** The languages by the ends of file names. */
const endings: Readonly<Record<keyof typeof languages, string>> = {
  script: 'ts tsx mts cts js jsx mjs cjs vue svelte dart',
  typed: 'c h cc cpp hpp cxx cs java kt kts swift scala m mm php proto zig groovy gradle',
  rust: 'rs',
  go: 'go',
  python: 'py pyi pyx',
  shell: 'sh bash zsh fish rb rake pl pm r mk dockerfile makefile ps1 tcl ex exs nix',
  sql: 'sql lua hs elm ada',
  markup: 'html htm xml svg xhtml plist',
  style: 'css scss less sass',
  data: 'json jsonc json5 yaml yml toml ini cfg conf env properties lock gitignore editorconfig',
};

/** The language of a file, by its name; undefined if it is not known. */
export function languageOf(path: string): Language | undefined {
  const ending = /[^./\\]*$/.exec(path.toLowerCase())![0];
  const found = Object.entries(endings).find(([, all]) => all.split(' ').includes(ending));
  return found && languages[found[0] as keyof typeof languages];
}
