import type { Client, ClientOptions } from '@mcp/protocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayProgram, probeServer, textOf } from './gateway-program.ts';

const gateway = new GatewayProgram({ new: probeServer('new', 'modern'), old: probeServer('old', 'legacy') });
afterAll(() => gateway[Symbol.asyncDispose]());

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** The answers of a person and of a model. */
const host: ClientOptions = {
  elicitsUrls: true,
  elicit: (request) =>
    Promise.resolve(
      'url' in request ? { action: 'accept' } : { action: 'accept', content: { text: request.message } },
    ),
  sample: () => Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm' }),
  roots: () => Promise.resolve([{ uri: 'file:///work' }]),
};

describe.each(versions)('a client of %s over HTTP', (revision) => {
  let client: Client;
  beforeAll(async () => {
    client = await gateway.http({ revision, ...host });
  });

  test('lists the tools, prompts and resources of all servers under stable names, with their instructions', async () => {
    const tools = (await client.listTools()).map(({ name }) => name);
    expect(tools).toEqual(expect.arrayContaining(['new__echo', 'old__echo', 'new__ask_url']));
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['new__greet', 'old__greet']);
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual([
      'test://shared',
      'mcp://old/test://shared',
    ]);
    const templates = await client.listResourceTemplates();
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['new://items/{id}', 'old://items/{id}']);
    expect(client.instructions).toBe('# new\n\nInstructions of new.\n\n# old\n\nInstructions of old.');
  });

  test('calls tools, reads resources, gets prompts and completes arguments of servers of both eras', async () => {
    for (const server of ['new', 'old']) {
      const result = await client.callTool(`${server}__echo`, { text: 'Hi' });
      expect(result).toMatchObject({
        content: [{ type: 'text', text: 'Hi' }],
        _meta: { 'example.com/of': server },
      });
      expect(await client.callTool(`${server}__fail`)).toMatchObject({ isError: true });
      expect(await client.readResource(`${server}://items/7`)).toMatchObject({
        contents: [{ uri: `${server}://items/7`, text: `item 7 of ${server}` }],
      });
      const { messages } = await client.getPrompt(`${server}__greet`, { who: 'Ann' });
      expect(messages).toMatchObject([{ content: { text: `Greet Ann from ${server}` } }]);
      if (revision === '2024-11-05') continue;
      const who = { name: 'who', value: 'A' };
      expect(await client.complete({ prompt: `${server}__greet` }, who)).toMatchObject({ values: ['Ann'] });
      const id = { name: 'id', value: 't' };
      expect(await client.complete({ resource: `${server}://items/{id}` }, id)).toMatchObject({
        values: ['two'],
      });
    }
    expect(await client.readResource('mcp://old/test://shared')).toMatchObject({
      contents: [{ uri: 'mcp://old/test://shared', text: 'shared of old' }],
    });
  });

  test('answers what servers of both eras ask in the middle of a call', async () => {
    for (const server of ['new', 'old']) {
      const call = async (tool: string, args = {}) =>
        textOf(await client.callTool(`${server}__${tool}`, args));
      expect(await call('sample')).toContain('"Hello"');
      // An older server could keep the roots for a call of another client.
      if (server === 'new' || revision !== '2026-07-28') {
        expect(await call('roots')).toBe('{"roots":[{"uri":"file:///work"}]}');
      }
      if (revision < '2025-06-18') continue;
      expect(await call('ask', { text: server })).toBe(
        `{"action":"accept","content":{"text":"Which text? ${server}"}}`,
      );
      if (revision >= '2025-11-25') expect(await call('ask_url')).toBe('{"action":"accept"}');
    }
  });

  test('gets progress, and cancels a call at its server', async () => {
    for (const server of ['new', 'old']) {
      const before = Number(textOf(await client.callTool(`${server}__cancelled`)));
      const cancel = new AbortController();
      const progress = (done: number, total?: number) => {
        if (done === 1 && total === 2) cancel.abort(new Error('enough'));
      };
      const calling = client.callTool(`${server}__slow`, {}, { onProgress: progress, signal: cancel.signal });
      await expect(calling).rejects.toThrow('enough');
      await expect
        .poll(async () => textOf(await client.callTool(`${server}__cancelled`)))
        .toBe(String(before + 1));
    }
  });
});
