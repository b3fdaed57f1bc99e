import fc from 'fast-check';
import { expect, test } from 'vitest';
import { times } from './generated.ts';
import { UriTemplate } from '@mcp/protocol';

const name = fc.constantFrom('a', 'b', 'path', 'constructor', '__proto__', 'x.y', 'n_1');
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });

/** Any template at all. */
const expression = fc
  .tuple(
    fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&'),
    names,
    fc.array(fc.constantFrom('', '*', ':3'), { minLength: 3, maxLength: 3 }),
  )
  .map(([sign, list, marks]) => `{${sign}${list.map((each, index) => each + marks[index]).join(',')}}`);
const literal = fc.constantFrom('/', 'x', '.', '-', 'end', '?q=1', '(', '*', '\\');
const template = fc
  .array(fc.oneof(expression, literal), { minLength: 1, maxLength: 6 })
  .map((parts) => `x:${parts.join('')}`);

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.webPath());

test.each([
  'x://{a}/{b}{/list*}',
  'x://{a},{b}/{;list*}{?q}',
  'x:{/a,b}/-{list*}{#q}',
  'x:{a}{?b,list*}{&q}',
  'x:{?a,b}{&list*,q}',
])('what is put into %s can be read from it', (source) => {
  const filled = fc.string({ unit: 'binary', minLength: 1 }).map((value) => value.toWellFormed());
  const uriTemplate = new UriTemplate(source);
  fc.assert(
    fc.property(filled, filled, fc.array(filled, { minLength: 1 }), filled, (a, b, list, any) => {
      // A fragment leaves "%41" as it is.
      const q = any.replaceAll('%', '');
      const values = Object.entries({ a, b, list, q }).filter(([key]) => uriTemplate.variables.includes(key));
      expect({ ...uriTemplate.match(uriTemplate.expand({ a, b, list, q })) }).toEqual(
        Object.fromEntries(values),
      );
    }),
  );
});

test('a path variable keeps its slashes, and encodes only the characters that would end it', () => {
  const path = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll(/[%?#]/g, ''));
  fc.assert(
    fc.property(path, fc.array(path, { maxLength: 3 }), (value, others) => {
      const file = new UriTemplate('file:///{+path}');
      const all = { path: [value, ...others].join('/') };
      expect({ ...file.match(file.expand(all)) }).toEqual(all);
    }),
  );
});

test('a template throws only an RpcError for any URI', () => {
  const uri = fc.oneof(
    text.map((rest) => `x:${rest}`),
    fc
      .array(
        fc.constantFrom(
          '/',
          'x',
          ',',
          '.',
          '?',
          '&',
          'a=',
          '%',
          '%41',
          '%ff',
          '#',
          ';',
          'end',
          '\n',
          '\ud800',
        ),
      )
      .map((parts) => `x:${parts.join('')}`),
  );
  fc.assert(
    fc.property(template, uri, (source, hostile) => {
      const uriTemplate = new UriTemplate(source);
      try {
        const matched = uriTemplate.match(hostile);
        expect(matched === undefined || Object.getPrototypeOf(matched) === null).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({
          name: 'RpcError',
          code: -32602,
          message: `Malformed percent-encoding in "${hostile}"`,
          data: { uri: hostile },
        });
      }
    }),
    { numRuns: 5_000 * times },
  );
});

test('a template expands any value without an error', () => {
  fc.assert(
    fc.property(template, fc.dictionary(name, fc.string({ unit: 'binary' })), (source, values) => {
      expect(new UriTemplate(source).expand(values)).toMatch(/^x:/);
      expect(new UriTemplate(source).expand({})).not.toContain('function');
    }),
  );
});

test.each([
  'x:{+a}{+b}{+c}{+d}!',
  'x:{+a}/{+b}/{+c}/{+d}!',
  'x:{a}{b}{c}{d}!',
  'x:{/a*}{/b*}{/c*}!',
  'x:{a*}{b*}{c*}!',
  'x:{.a*}{.b*}!{.c*}!',
  'x:{+a}{?b}{#c}!',
])('%s is matched in a time that grows with the URI alone', (source) => {
  const uriTemplate = new UriTemplate(source);
  // A matcher that tries one way after the other would try 10^12 ways at least.
  for (const filling of ['a', '/', '.a', 'a/', 'a,']) {
    expect(uriTemplate.match(`x:${filling.repeat(300_000)}`)).toBe(undefined);
  }
});
