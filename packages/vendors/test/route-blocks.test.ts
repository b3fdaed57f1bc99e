import { describe, expect, test } from 'vitest';
import { routeBlocks, type RouteTarget } from '../src/index.ts';

const calls: unknown[] = [];

const target: RouteTarget = {
  servers: ['files', 'weather'],
  tools: (server) => Promise.resolve(server === 'files' ? ['read_file', 'write_file'] : ['forecast']),
  callTool: (server, tool, args) => {
    calls.push([server, tool, args]);
    if (args['fail']) return Promise.reject(new Error('The server ended'));
    return Promise.resolve({ content: [{ type: 'text', text: `${tool} ${JSON.stringify(args)}` }] });
  },
  readResource: (_, uri) => Promise.resolve({ contents: [{ uri, text: `text of ${uri}` }] }),
};

const toolBlock = (args: string, { server = 'files', tool = 'read_file' } = {}) =>
  `<use_mcp_tool>\n<server_name>${server}</server_name>\n<tool_name>${tool}</tool_name>\n` +
  `<arguments>\n${args}\n</arguments>\n</use_mcp_tool>`;

/** Routes a text, cut into pieces of so many characters. */
async function route(text: string, pieceLength = text.length) {
  calls.length = 0;
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceLength) pieces.push(text.slice(at, at + pieceLength));
  const results = [];
  for await (const result of routeBlocks(pieces, target)) results.push(result);
  return results;
}

describe.each([1, 2, 7, 1_000_000])('text in pieces of %s characters', (pieceLength) => {
  test('every block is answered in order, and the prose around them is passed over', async () => {
    const text =
      `I will read <b>it</b> now.\n${toolBlock('{"path": "a"}')}\nand\n` +
      '<access_mcp_resource><server_name>weather</server_name><uri>weather://x</uri></access_mcp_resource> ' +
      `done ${toolBlock('{}', { server: 'weather', tool: 'forecast' })}`;
    const results = await route(text, pieceLength);
    expect(results.map(({ text: answer }) => answer)).toEqual([
      `[use_mcp_tool for 'files'] Result:\nread_file {"path":"a"}`,
      "[access_mcp_resource for 'weather'] Result:\ntext of weather://x",
      "[use_mcp_tool for 'weather'] Result:\nforecast {}",
    ]);
    expect(results.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(results.map(({ offset }) => text.slice(offset, offset + 5))).toEqual(['<use_', '<acce', '<use_']);
  });

  test('raw < and & and closing tags within JSON strings belong to the arguments', async () => {
    const args = {
      content: 'if (a < b && c > d) "x\\"</arguments></use_mcp_tool><use_mcp_tool>',
      more: { list: ['}', ']'] },
    };
    const results = await route(toolBlock(JSON.stringify(args, null, 2)), pieceLength);
    expect(results).toHaveLength(1);
    expect(calls).toEqual([['files', 'read_file', args]]);
    expect(results[0]!.repairs).toEqual([]);
  });

  test('a block without its closing tag is never executed', async () => {
    const unclosed = toolBlock('{"path": "a"}').replace('</use_mcp_tool>', '');
    const results = await route(`${unclosed}\n${toolBlock('{"path": "b"}')}\n${unclosed}`, pieceLength);
    expect(results.map(({ executed }) => executed)).toEqual([false, true, false]);
    expect(calls).toEqual([['files', 'read_file', { path: 'b' }]]);
    expect(results[0]!.text).toContain('another block begins before the closing tag </use_mcp_tool>');
    expect(results[2]!.text).toContain('the closing tag </use_mcp_tool> is missing');
  });

  test('a missing quote spoils its own block and no other', async () => {
    const results = await route(`${toolBlock('{"path": "a}')} ${toolBlock('{"path": "b"}')}`, pieceLength);
    expect(results.map(({ executed }) => executed)).toEqual([false, true]);
    expect(results[0]!.text).toContain('The arguments are not JSON');
  });
});

test.each([
  ['<![CDATA[{"path": "a"}]]>', ['removed the CDATA section']],
  ['```json\n{"path": "a"}\n```', ['removed the code fence']],
  ['{&quot;path&quot;: &quot;a&quot;}', ['decoded XML entities']],
  ['{"path": "a",}', ['removed a trailing comma']],
  [
    '<![CDATA[\n{&quot;path&quot;: "a",}\n]]>',
    ['removed the CDATA section', 'decoded XML entities', 'removed a trailing comma'],
  ],
])('the arguments %j are repaired, and the answer names the repair', async (args, repairs) => {
  const [result] = await route(toolBlock(args));
  expect(calls).toEqual([['files', 'read_file', { path: 'a' }]]);
  expect(result!.repairs).toEqual(repairs);
  expect(result!.text).toContain(`repaired: ${repairs.join(', ')}`);
});

test('line breaks within a string are escaped', async () => {
  await route(toolBlock('{"content": "one\ntwo\tthree"}'));
  expect(calls).toEqual([['files', 'read_file', { content: 'one\ntwo\tthree' }]]);
});

test('JSON that is right is never changed', async () => {
  const args = { text: '&quot; ,} ```json <![CDATA[ ]]>' };
  await route(toolBlock(JSON.stringify(args)));
  expect(calls).toEqual([['files', 'read_file', args]]);
});

test.each([
  [toolBlock('{"path": 1 2}'), 'The arguments are not JSON: '],
  [toolBlock('[1]'), 'The arguments must be a JSON object'],
  [
    toolBlock('{}', { server: 'file' }),
    "Server 'file' is not configured. Did you mean 'files'? Available servers: files, weather",
  ],
  [
    toolBlock('{}', { tool: 'readfile' }),
    "Tool 'readfile' does not exist on server 'files'. Did you mean 'read_file'",
  ],
  [toolBlock('{}', { server: '' }), "Missing value for required parameter 'server_name'"],
  [toolBlock('{"fail": true}'), 'The server ended'],
  ['<access_mcp_resource><server_name>files</server_name></access_mcp_resource>', "required parameter 'uri'"],
])('%j is answered with an error that a model can act on', async (text, message) => {
  const [result] = await route(text);
  expect(result).toMatchObject({ executed: false, isError: true });
  expect(result!.text).toContain(message);
});

test('the error marks the character that is wrong', async () => {
  const [result] = await route(toolBlock('{"path": "a" "b"}'));
  expect(result!.text).toMatch(/\n\{"path": "a" "b"\}\n {13}\^\n/);
});

test('the scanner reads a block of one mebibyte, one character at a time, in linear time', async () => {
  const args = { content: '<'.repeat(1024 * 1024) };
  await route(toolBlock(JSON.stringify(args)), 1);
  expect(calls).toEqual([['files', 'read_file', args]]);
});

test('arguments with a string without its end, full of escaped quotes, are answered in linear time', async () => {
  const [result] = await route(toolBlock(`{"a": x "${String.raw`\"`.repeat(500_000)}`));
  expect(result).toMatchObject({ executed: false, isError: true });
});

test('a block without an end is refused at four mebibytes instead of kept', async () => {
  function* endless() {
    yield '<use_mcp_tool><arguments>{"a": "';
    for (let count = 0; count < 80; count++) yield 'x'.repeat(64 * 1024);
  }
  const results = [];
  for await (const result of routeBlocks(endless(), target)) results.push(result);
  expect(results).toHaveLength(1);
  expect(results[0]!.text).toContain('longer than 4194304 characters');
});

test.each([
  ['{"text":"&lt;b&gt; AT&amp;T",}', '&lt;b&gt; AT&amp;T', ['removed a trailing comma']],
  ['{"text":"a\n&lt;b&gt;"}', 'a\n&lt;b&gt;', ['escaped line breaks within strings']],
  ['```json\n{"text":"&amp;"}\n```', '&amp;', ['removed the code fence']],
  [
    '{&quot;text&quot;:&quot;a\nb&quot;,}',
    'a\nb',
    ['decoded XML entities', 'escaped line breaks within strings', 'removed a trailing comma'],
  ],
])('%j is repaired as little as it needs', async (args, value, repairs) => {
  const [result] = await route(toolBlock(args));
  expect(calls).toEqual([['files', 'read_file', { text: value }]]);
  expect(result!.repairs).toEqual(repairs);
});

describe.each([1, 3, 1_000_000])(
  'a block without </arguments>, in pieces of %s characters',
  (pieceLength) => {
    const open = (args: string) => toolBlock(args).replace('\n</arguments>', '');
    const next = toolBlock('{"path": "next"}');

    test.each(['{"path": "a"}', '{"path": "a"} ', '{"path": "a",}'])(
      'with %j is executed, and the next one too',
      async (args) => {
        const results = await route(`${open(args)} and ${next}`, pieceLength);
        expect(calls.map((each) => (each as unknown[])[2])).toEqual([{ path: 'a' }, { path: 'next' }]);
        expect(results).toHaveLength(2);
      },
    );

    test.each(['{"path": "a"', '{"path": "a\nb', '{"path": 1 2}'])(
      'with %j is answered, and the next one executed',
      async (args) => {
        const results = await route(`${open(args)}\n${next}`, pieceLength);
        expect(calls).toEqual([['files', 'read_file', { path: 'next' }]]);
        expect(results.map(({ isError }) => isError)).toEqual([true, false]);
        expect(results[0]!.text).toContain('The arguments are not JSON');
      },
    );

    test('is executed at the end of the text', async () => {
      await route(open('{"path": "a"}'), pieceLength);
      expect(calls).toEqual([['files', 'read_file', { path: 'a' }]]);
    });
  },
);

test('a result that has structured content alone is its JSON', async () => {
  const structured: RouteTarget = {
    ...target,
    callTool: () => Promise.resolve({ content: [], structuredContent: { a: 1 } }),
  };
  const results = [];
  for await (const result of routeBlocks([toolBlock('{}')], structured)) results.push(result.text);
  expect(results).toEqual(['[use_mcp_tool for \'files\'] Result:\n{"a":1}']);
});
