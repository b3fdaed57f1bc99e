import { UriTemplate } from '@mcp/protocol';
import { describe, expect, test } from 'vitest';
import type { UriValues } from '../src/define/uri-template.ts';

// The examples of RFC 6570, section 3.2, without those of associative arrays, which MCP does not have.

const values = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: [],
  undef: undefined,
};

const sections: { readonly [title: string]: readonly (readonly [template: string, uri: string])[] } = {
  '3.2.1 lists': [
    ['{count}', 'one,two,three'],
    ['{count*}', 'one,two,three'],
    ['{/count}', '/one,two,three'],
    ['{/count*}', '/one/two/three'],
    ['{;count}', ';count=one,two,three'],
    ['{;count*}', ';count=one;count=two;count=three'],
    ['{?count}', '?count=one,two,three'],
    ['{?count*}', '?count=one&count=two&count=three'],
    ['{&count*}', '&count=one&count=two&count=three'],
  ],
  '3.2.2 simple strings': [
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['?{x,empty}', '?1024,'],
    ['?{x,undef}', '?1024'],
    ['?{undef,y}', '?768'],
    ['{var:3}', 'val'],
    ['{var:30}', 'value'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
  ],
  '3.2.3 reserved': [
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['O{+empty}X', 'OX'],
    ['O{+undef}X', 'OX'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['up{+path}{var}/here', 'up/foo/barvalue/here'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['{+path,x}/here', '/foo/bar,1024/here'],
    ['{+path:6}/here', '/foo/b/here'],
    ['{+list}', 'red,green,blue'],
    ['{+list*}', 'red,green,blue'],
  ],
  '3.2.4 fragments': [
    ['{#var}', '#value'],
    ['{#hello}', '#Hello%20World!'],
    ['{#half}', '#50%25'],
    ['foo{#empty}', 'foo#'],
    ['foo{#undef}', 'foo'],
    ['{#x,hello,y}', '#1024,Hello%20World!,768'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['{#path:6}/here', '#/foo/b/here'],
    ['{#list}', '#red,green,blue'],
    ['{#list*}', '#red,green,blue'],
  ],
  '3.2.5 labels': [
    ['{.who}', '.fred'],
    ['{.who,who}', '.fred.fred'],
    ['{.half,who}', '.50%25.fred'],
    ['www{.dom*}', 'www.example.com'],
    ['X{.var}', 'X.value'],
    ['X{.empty}', 'X.'],
    ['X{.undef}', 'X'],
    ['X{.var:3}', 'X.val'],
    ['X{.list}', 'X.red,green,blue'],
    ['X{.list*}', 'X.red.green.blue'],
    ['X{.empty_keys}', 'X'],
    ['X{.empty_keys*}', 'X'],
  ],
  '3.2.6 path segments': [
    ['{/who}', '/fred'],
    ['{/who,who}', '/fred/fred'],
    ['{/half,who}', '/50%25/fred'],
    ['{/who,dub}', '/fred/me%2Ftoo'],
    ['{/var}', '/value'],
    ['{/var,empty}', '/value/'],
    ['{/var,undef}', '/value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{/var:1,var}', '/v/value'],
    ['{/list}', '/red,green,blue'],
    ['{/list*}', '/red/green/blue'],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
  ],
  '3.2.7 path-style parameters': [
    ['{;who}', ';who=fred'],
    ['{;half}', ';half=50%25'],
    ['{;empty}', ';empty'],
    ['{;v,empty,who}', ';v=6;empty;who=fred'],
    ['{;v,bar,who}', ';v=6;who=fred'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{;x,y,undef}', ';x=1024;y=768'],
    ['{;hello:5}', ';hello=Hello'],
    ['{;list}', ';list=red,green,blue'],
    ['{;list*}', ';list=red;list=green;list=blue'],
  ],
  '3.2.8 queries': [
    ['{?who}', '?who=fred'],
    ['{?half}', '?half=50%25'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?undef}', ''],
    ['{?var:3}', '?var=val'],
    ['{?list}', '?list=red,green,blue'],
    ['{?list*}', '?list=red&list=green&list=blue'],
  ],
  '3.2.9 continued queries': [
    ['{&who}', '&who=fred'],
    ['{&half}', '&half=50%25'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&x,y,empty}', '&x=1024&y=768&empty='],
    ['{&x,y,undef}', '&x=1024&y=768'],
    ['{&var:3}', '&var=val'],
    ['{&list}', '&list=red,green,blue'],
    ['{&list*}', '&list=red&list=green&list=blue'],
  ],
};

for (const [title, examples] of Object.entries(sections)) {
  describe(`RFC 6570, ${title}`, () => {
    test.each(examples)('%s expands to %s', (template, uri) => {
      expect(new UriTemplate(template).expand(values)).toBe(uri);
    });
  });
}

describe('encoding', () => {
  const odd = { odd: "é/?#[]!'()*%41%4g~-._ \u{d800}" };
  const encoded = '%C3%A9%2F%3F%23%5B%5D%21%27%28%29%2A%2541%254g~-._%20%EF%BF%BD';

  test.each(['{odd}', '{.odd}', '{/odd}', '{;odd}', '{?odd}', '{&odd}'])(
    '%s encodes all but unreserved characters',
    (template) => {
      const uri = new UriTemplate(template).expand(odd);
      expect(uri.slice(uri.search('%'))).toBe(encoded);
    },
  );

  test.each(['{+odd}', '{#odd}'])('%s keeps reserved characters and percent-encodings', (template) => {
    const uri = new UriTemplate(template).expand(odd);
    expect(uri.slice(uri.search('%'))).toBe("%C3%A9/?#[]!'()*%41%254g~-._%20%EF%BF%BD");
  });

  test('a prefix counts code points', () => {
    expect(new UriTemplate('{a:2}{b:0}').expand({ a: '😀é!', b: 'x' })).toBe('%F0%9F%98%80%C3%A9');
  });

  test('values are own members: nothing is inherited', () => {
    expect(new UriTemplate('{toString}{;constructor}').expand({})).toBe('');
  });
});

describe('invalid templates', () => {
  test.each(['{', '}', 'a}b', '{a', '{{a}', '{a}}', 'x{a}{'])('%s has unbalanced braces', (template) => {
    expect(() => new UriTemplate(template)).toThrow(`Unbalanced braces in the URI template "${template}"`);
  });

  test.each([
    ['{}', ''],
    ['{a,}', ''],
    ['{!a}', '!a'],
    ['{?!a}', '!a'],
    ['{a!}', 'a!'],
    ['{a b}', 'a b'],
    ['{.}', ''],
    ['{a**}', 'a**'],
    ['{a*:3}', 'a*:3'],
    ['{a:}', 'a:'],
    ['{a:x}', 'a:x'],
    ['{a:12345}', 'a:12345'],
    ['{a}{b-c}', 'b-c'],
    ['{a\n}', 'a\n'],
  ])('%j has an invalid variable', (template, spec) => {
    const message = `Not a variable in the URI template "${template}": "${spec}"`;
    expect(() => new UriTemplate(template)).toThrow(message);
  });
});

test('the names of the variables are in the order of the template', () => {
  const { variables, template } = new UriTemplate('x:{b}/{+a:3}y{?q,a.b*}');
  expect({ variables, template }).toEqual({
    variables: ['b', 'a', 'q', 'a.b'],
    template: 'x:{b}/{+a:3}y{?q,a.b*}',
  });
});

test.each(['x:%', 'x:%4', 'x:%zz', 'x:a%ff', 'x:?q=%'])('%s has malformed percent-encoding', (uri) => {
  expect(() => new UriTemplate('x:{a*}{?q}').match(uri)).toThrow(
    expect.objectContaining({
      code: -32602,
      message: `Malformed percent-encoding in "${uri}"`,
      data: { uri },
    }),
  );
});

// RFC 6570 does not say how a template is matched.
test.each<[template: string, uri: string, values: UriValues | undefined]>([
  ['x:y', 'x:y', {}],
  ['x:y', 'x:yz', undefined],
  ['x:y', 'x:', undefined],
  ['', '', {}],
  ['', 'x', undefined],
  ['x:{a}', 'x:b', { a: 'b' }],
  ['x:{a}', 'x:%41', { a: 'A' }],
  ['x:{a}', 'x:%2541', { a: '%41' }],
  ['x:{a}', 'x:', undefined],
  ['x:{a}', 'y:b', undefined],
  ['x:{a}', 'x:b\n', { a: 'b\n' }],
  ['x:{a}', 'x:b,c', undefined],
  ['x:{a}', 'x:b/c', undefined],
  ['x:{a}', 'x:b?c', undefined],
  ['x:{a}', 'x:b#c', undefined],
  ['x:{a,b}', 'x:1,2', { a: '1', b: '2' }],
  ['x:{a,b}', 'x:1', undefined],
  ['x:{a}{b}', 'x:123', { a: '12', b: '3' }],
  ['x:{a}{b}', 'x:1', undefined],
  ['x:{a}-{b}', 'x:1-2-3', { a: '1-2', b: '3' }],
  ['x:{a}/', 'x:b', undefined],
  ['{a}', 'b', { a: 'b' }],
  ['{a}:{b}', 'b:', undefined],
  ['x:{a*}', 'x:', { a: [] }],
  ['x:{a*}', 'x:1,2', { a: ['1', '2'] }],
  ['x:{a*}', 'x:1,%2C', { a: ['1', ','] }],
  ['x:{a*}', 'x:1/2', undefined],
  ['x:{a*}!', 'x:1!', { a: ['1'] }],
  ['x:{a*}{b*}', 'x:', { a: [], b: [] }],
  ['{a*}{b}', 'x', { a: [], b: 'x' }],
  ['{a*}{+b}', '/x', { a: [], b: '/x' }],
  ['{a}{b*}', '', undefined],
  ['x:{+a}', 'x:', { a: '' }],
  ['x:{+a}', 'x:b/c,d', { a: 'b/c,d' }],
  ['x:{+a}', 'x:b?c', undefined],
  ['x:{+a}', 'x:b#c', undefined],
  ['x:{+a}/end', 'x:b/end/end', { a: 'b/end' }],
  ['x:{+a}/end{?q}', 'x:b/end?q=1', { a: 'b', q: '1' }],
  ['x:{+a}{+b}', 'x:1', { a: '1', b: '' }],
  ['x:{#a}', 'x:#where?c#d', { a: 'where?c#d' }],
  ['x:{#a}', 'x:', undefined],
  ['x:{.a}', 'x:.b', { a: 'b' }],
  ['x:{.a}', 'x:.', undefined],
  ['x:{.a}', 'x:.b.c', undefined],
  ['x:{.a}', 'x:.b/c', undefined],
  ['x:{+a}{.b}', 'x:1./', undefined],
  ['x:{+a}{.b}{/c}', 'x:1.2/3.45', { a: '1', b: '2', c: '3.45' }],
  ['x:{+a}{.b}{/c*}', 'x:1.2/3./4', { a: '1', b: '2', c: ['3.', '4'] }],
  ['x:{+a}{.b}{?c}', 'x:1.2?c=3.4', { a: '1', b: '2', c: '3.4' }],
  ['x:{+a}{.b}{?c}!', 'x:1.2!', { a: '1', b: '2' }],
  ['x:{.a,b}', 'x:.1.2', { a: '1', b: '2' }],
  ['x:{.a*}', 'x:.1.2', { a: ['1', '2'] }],
  ['x:{.a*}', 'x:', { a: [] }],
  ['x:{.a*}', 'x:.', { a: [''] }],
  ['x:{/a}', 'x:/b', { a: 'b' }],
  ['x:{/a}', 'x:/', undefined],
  ['x:{/a}', 'x:/b/c', undefined],
  ['x:{/a}', 'x:/b?c', undefined],
  ['x:{/a,b}', 'x:/1/2', { a: '1', b: '2' }],
  ['x:{/a*}', 'x:', { a: [] }],
  ['x:{/a*}', 'x:/', { a: [''] }],
  ['x:{/a*}', 'x://b', { a: ['', 'b'] }],
  ['x:{/a*}', 'x:b', undefined],
  ['x:{/a*}{?q}', 'x:/1/2?q=3', { a: ['1', '2'], q: '3' }],
  ['x:{/a*}{b}', 'x:c', { a: [], b: 'c' }],
  ['x:{;a}', 'x:;a=1', { a: '1' }],
  ['x:{;a}', 'x:;a', { a: '' }],
  ['x:{;a}', 'x:', {}],
  ['x:{;a}', 'x:;a=1/2', undefined],
  ['x:{;a,b}', 'x:;b=2;a=1', { a: '1', b: '2' }],
  ['x:{;a*}', 'x:;a=1;a=2', { a: ['1', '2'] }],
  ['x:{;a}{?a}', 'x:;a=1?b', { a: '1' }],
  ['x:{;a}{/b}{?c}', 'x:;a=1/2?c=3', { a: '1', b: '2', c: '3' }],
  ['x:{;a}{?b}', 'x:;b=1', {}],
  ['x:{;a}{b}', 'x:;', { b: ';' }],
  ['x:{;a}{;b}', 'x:;a=1;b=2', { a: '1' }],
  ['x:{?a}', 'x:?a=1', { a: '1' }],
  ['x:{?a}', 'x:?a=1=2', { a: '1=2' }],
  ['x:{?a}', 'x:?a=/?', { a: '/?' }],
  ['x:{?a}', 'x:?a=1#b', undefined],
  ['x:{?a}', 'x:?aa=1&a', { a: '' }],
  ['x:{?a}', 'x:?b=1', {}],
  ['x:{?a}', 'x:?', {}],
  ['x:{?a}', 'x:', {}],
  ['x:{?a}', 'x:a=1', undefined],
  ['x:{?a,b}', 'x:?a=1;b=2', { a: '1;b=2' }],
  ['x:{?a}', 'x:?a=1&a=2', { a: '1' }],
  ['x:{?a*}', 'x:', { a: [] }],
  ['x:{?a*}', 'x:?a=1&b=2&a=3', { a: ['1', '3'] }],
  ['x:{?a}{&b}', 'x:?b=2&a=1', { a: '1', b: '2' }],
  ['x:{?a}{b}{#c}', 'x:?a=1#c', { a: '', b: '1', c: 'c' }],
  ['x:?fixed=1{&a}', 'x:?fixed=1&a=2', { a: '2' }],
  ['x:?fixed=1{&a}', 'x:?fixed=1', {}],
  ['x:?fixed=1{&a}', 'x:?fixed=1&a=2#b', undefined],
  ['{?a}', '?a=1', { a: '1' }],
  ['{?a}', '', {}],
  ['{?a}', 'x', undefined],
  ['x:{?__proto__}', 'x:?__proto__=1', { ['__proto__']: '1' }],
])('%s matches %s', (source, uri, values) => {
  const matched = new UriTemplate(source).match(uri);
  expect(matched && Object.entries(matched)).toEqual(values && Object.entries(values));
});
