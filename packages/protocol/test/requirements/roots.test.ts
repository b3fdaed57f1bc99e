import { expect } from 'vitest';
import { listRoots } from '@mcp/protocol';
import { questionTool, questionOf } from './question-tool.ts';
import { requirement } from './requirement.ts';
import { example, stateless, Wire } from './wire.ts';

const server = example({ tools: [questionTool(listRoots())] });

requirement('ROOT-04', 'roots/list is sent to a client that declares roots', async (version) => {
  const wire = await Wire.open(server, version, { capabilities: { roots: {} } });
  const { question, answer } = await questionOf(wire);
  expect(question).toEqual({ method: 'roots/list' });
  expect(await answer({ roots: [{ uri: 'file:///home', name: 'Home' }] })).toMatchObject({
    content: [{ text: '{"roots":[{"uri":"file:///home","name":"Home"}]}' }],
  });
});

requirement('ROOT-04', 'roots/list is not sent to a client that does not declare roots', async (version) => {
  const wire = await Wire.open(server, version);
  expect(await wire.ask('tools/call', { name: 'ask' })).toMatchObject(
    version === stateless
      ? { error: { code: -32021, data: { requiredCapabilities: { roots: {} } } } }
      : {
          result: {
            content: [{ text: 'The client does not support "roots", which the request requires' }],
            isError: true,
          },
        },
  );
  expect(await wire.end()).toEqual([]);
});

requirement('ROOT-04', 'an error of roots/list is an error of the tool', async (version) => {
  const wire = await Wire.open(server, version, { capabilities: { roots: {} } });
  if (version === stateless) {
    const inputResponses = { it: { roots: 'none' } };
    expect(await wire.error('tools/call', { name: 'ask', inputResponses })).toMatchObject({ code: -32602 });
    return;
  }
  const id = wire.send('tools/call', { name: 'ask' });
  const { id: asked } = await wire.nextFromServer();
  wire.raw.send({ jsonrpc: '2.0', id: asked, error: { code: -32603, message: 'No disk' } });
  expect(await wire.response(id)).toMatchObject({
    result: { content: [{ text: 'The client refused roots/list: No disk' }], isError: true },
  });
  const unread = wire.send('tools/call', { name: 'ask' });
  wire.raw.send({ jsonrpc: '2.0', id: (await wire.nextFromServer())['id'], result: { roots: 'none' } });
  expect(await wire.response(unread)).toMatchObject({
    result: { content: [{ text: 'The client sent an invalid result of roots/list' }], isError: true },
  });
});

requirement('ROOT-06', 'the request for roots is part of a result', async (version) => {
  const wire = await Wire.open(server, version, { capabilities: { roots: {} } });
  expect(await wire.call('ask')).toMatchObject({
    resultType: 'input_required',
    inputRequests: { it: { method: 'roots/list' } },
  });
  expect(await wire.end()).toEqual([]);
});
