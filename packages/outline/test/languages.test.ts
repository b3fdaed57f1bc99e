import { afterAll, expect, test } from 'vitest';
import { type LanguageName, languageNames, languageOf, Outliner, type OutlineSymbol } from '../src/index.ts';

const outliner = new Outliner();
afterAll(() => outliner[Symbol.asyncDispose]());

/** The outline of a text, a line for each symbol, indented by its depth. */
async function shown(text: string, language: LanguageName): Promise<string[]> {
  const { symbols, hasErrors, isCut } = await outliner.outlineOf(text, language);
  expect({ hasErrors, isCut }).toEqual({ hasErrors: false, isCut: false });
  const lines = (list: readonly OutlineSymbol[], indent: string): string[] =>
    list.flatMap(({ name, kind, startLine, endLine, children }) => [
      `${indent}${startLine}-${endLine} ${kind} ${name}`,
      ...lines(children, `${indent}  `),
    ]);
  return lines(symbols, '');
}

const javascript = `export const limit = 3;
var old = 1, other;
export function parse(text) {
  const helper = () => 1;
  return helper();
}
function* each() {}
export class Parser extends Base {
  #state = 0;
  static from() {}
  get #own() { return 1; }
}
const table = { run() {}, stop: () => {} };
exports.late = function () {};
export default class {}
`;

const javascriptOutline = [
  '1-1 constant limit',
  '2-2 variable old',
  '2-2 variable other',
  '3-6 function parse',
  '  4-4 function helper',
  '7-7 function each',
  '8-12 class Parser',
  '  9-9 field #state',
  '  10-10 method from',
  '  11-11 method #own',
  '13-13 constant table',
  '  13-13 method run',
  '  13-13 method stop',
  '14-14 function exports.late',
];

const typescript = `${javascript}export abstract class Shape {
  private readonly size: number = 1;
  abstract area(): number;
  constructor(readonly name: string) {}
}
interface Named<T> {
  readonly name: T;
  rename(to: T): void;
}
export type Id = string;
declare const version: string;
const enum Color { Red }
namespace Outer.Inner {
  export function inside(): void {}
}
declare module 'other' {}
export function over(a: string): void;
export function over(a: unknown): void {}
`;

const typescriptOutline = [
  ...javascriptOutline,
  '16-20 class Shape',
  '  17-17 field size',
  '  18-18 method area',
  '  19-19 method constructor',
  '21-24 interface Named',
  '  22-22 property name',
  '  23-23 method rename',
  '25-25 type Id',
  '26-26 constant version',
  '27-27 enum Color',
  '28-30 namespace Outer.Inner',
  '  29-29 function inside',
  '31-31 module other',
  '32-32 function over',
  '33-33 function over',
];

const samples: Readonly<
  Record<LanguageName, { readonly text: string; readonly outline: readonly string[] }>
> = {
  javascript: {
    text: `${javascript}const View = () => <p>text</p>;\n`,
    outline: [...javascriptOutline, '16-16 function View'],
  },
  typescript: { text: typescript, outline: typescriptOutline },
  tsx: {
    text: `${typescript}const View = () => <p>text</p>;\n`,
    outline: [...typescriptOutline, '34-34 function View'],
  },
  python: {
    text: `LIMIT = 3

@decorated
def parse(text):
    def helper():
        pass
    return helper

class Parser(Base):
    size: int = 1

    def run(self):
        pass

    @property
    async def name(self):
        pass
`,
    outline: [
      '1-1 variable LIMIT',
      '4-7 function parse',
      '  5-6 function helper',
      '9-17 class Parser',
      '  12-13 method run',
      '  16-17 method name',
    ],
  },
  go: {
    text: `package main

const Limit = 3

var (
	a, b int
)

type Parser struct {
	size int
}

type Named interface {
	Name() string
}

type ID = string
type Count int

func (p *Parser) Run() error {
	return nil
}

func (List[T]) Len() int { return 0 }

func main() {
}
`,
    outline: [
      '3-3 constant Limit',
      '6-6 variable a',
      '6-6 variable b',
      '9-11 struct Parser',
      '13-15 interface Named',
      '  14-14 method Name',
      '17-17 type ID',
      '18-18 type Count',
      '20-22 method Parser.Run',
      '24-24 method List.Len',
      '26-27 function main',
    ],
  },
  rust: {
    text: `pub const LIMIT: usize = 3;
static mut COUNT: u8 = 0;
pub struct Parser<'a> { text: &'a str }
enum Kind { A, B }
pub trait Named {
    fn name(&self) -> String;
}
impl<'a> Parser<'a> {
    pub fn run(&self) {}
}
impl Named for Kind {
    fn name(&self) -> String { String::new() }
}
mod inner {
    pub fn inside() {}
}
type Id = u32;
macro_rules! say { () => {} }
fn main() {
}
`,
    outline: [
      '1-1 constant LIMIT',
      '2-2 variable COUNT',
      '3-3 struct Parser',
      '4-4 enum Kind',
      '5-7 trait Named',
      '  6-6 function name',
      "8-10 impl Parser<'a>",
      '  9-9 function run',
      '11-13 impl Named for Kind',
      '  12-12 function name',
      '14-16 module inner',
      '  15-15 function inside',
      '17-17 type Id',
      '18-18 macro say',
      '19-20 function main',
    ],
  },
  java: {
    text: `package a;

public class Parser<T> extends Base {
    private final int size = 1, other = 2;

    public Parser() {}

    @Override
    public String toString() {
        return "";
    }

    enum Kind { A, B }
}

interface Named {
    String name();
}

record Point(int x, int y) {
    Point {}
}

@interface Marked {}
`,
    outline: [
      '3-14 class Parser',
      '  4-4 field size',
      '  4-4 field other',
      '  6-6 constructor Parser',
      '  8-11 method toString',
      '  13-13 enum Kind',
      '16-18 interface Named',
      '  17-17 method name',
      '20-22 record Point',
      '  21-21 constructor Point',
      '24-24 annotation Marked',
    ],
  },
  c: {
    text: `#define LIMIT 3
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct point {
  int x;
};
typedef struct point point_t;
enum kind { A, B };
static int count = 0;
extern int other;
int parse(const char *text);
char *name(void) {
  return 0;
}
#ifdef DEBUG
char **names(int n)
{
  return 0;
}
#endif
`,
    outline: [
      '1-1 macro LIMIT',
      '2-2 macro MAX',
      '3-5 struct point',
      '6-6 type point_t',
      '7-7 enum kind',
      '8-8 variable count',
      '9-9 variable other',
      '10-10 function parse',
      '11-13 function name',
      '15-18 function names',
    ],
  },
  markdown: {
    text: `---
title: x
---

# The *first*

text

## Second ##

\`\`\`sh
# no heading
\`\`\`

Third
=====

### Fourth
`,
    outline: ['5-14 h1 The *first*', '  9-14 h2 Second', '15-18 h1 Third', '  18-18 h3 Fourth'],
  },
  json: {
    text: `{
  // A comment.
  "name": "x",
  "scripts": {
    "build": "tsc",
    "a \\"quoted\\" key": [{ "deep": 1 }]
  }
}
`,
    outline: [
      '3-3 key name',
      '4-7 key scripts',
      '  5-5 key build',
      '  6-6 key a \\"quoted\\" key',
      '    6-6 key deep',
    ],
  },
};

test.each(languageNames)('%s has an outline', async (language) => {
  const { text, outline } = samples[language];
  expect(await shown(text, language)).toEqual(outline);
});

test('the language of a file follows from its name', () => {
  const names = [
    'a.ts',
    'a.d.mts',
    'App.TSX',
    'lib/a.cjs',
    'a.pyi',
    'a.go',
    'a.rs',
    'A.java',
    'a.h',
    'README.md',
    'tsconfig.jsonc',
  ];
  expect(names.map((name) => languageOf(name))).toEqual([
    'typescript',
    'typescript',
    'tsx',
    'javascript',
    'python',
    'go',
    'rust',
    'java',
    'c',
    'markdown',
    'json',
  ]);
  expect(['a', 'a.txt', 'ts', '.constructor', 'Makefile', ''].map((name) => languageOf(name))).toEqual(
    Array(6).fill(undefined),
  );
});

test('a last line without a line break belongs to its symbol, and CRLF does not matter', async () => {
  expect(await shown('function a() {\r\n}\r\nfunction b() {\r\n}', 'javascript')).toEqual([
    '1-2 function a',
    '3-4 function b',
  ]);
  expect(await shown('# a\r\ntext', 'markdown')).toEqual(['1-2 h1 a']);
  expect(await shown('# a', 'markdown')).toEqual(['1-1 h1 a']);
  expect(await shown('', 'markdown')).toEqual([]);
});
