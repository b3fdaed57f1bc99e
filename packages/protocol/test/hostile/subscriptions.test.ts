import { defineResource, defineServer } from '@mcp/protocol';
import { RawConnection } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { initialize, request } from './messages.ts';

test('a conversation has at most 10,000 subscriptions, and accepts another once one ends', async () => {
  const thing = defineResource({
    uri: 'thing:///{id}',
    name: 'thing',
    read: () => '',
    watch: () => () => {},
  });
  const wire = new RawConnection(defineServer({ name: 'a', version: '1.0.0', resources: [thing] }), {
    maxRunning: 100_000,
  });
  await wire.ask(initialize('2025-11-25'));
  for (let id = 0; id < 10_000; id++)
    wire.send(request(id, 'resources/subscribe', { uri: `thing:///${id}` }));
  for (let id = 0; id < 10_000; id++) expect(await wire.next()).toMatchObject({ result: {} });
  const oneMore = request('more', 'resources/subscribe', { uri: 'thing:///more' });
  expect(await wire.ask(oneMore)).toMatchObject({
    error: { code: -32602, message: 'At most 10000 resources can be subscribed to at once' },
  });
  expect(await wire.ask(request('end', 'resources/unsubscribe', { uri: 'thing:///1' }))).toMatchObject({
    result: {},
  });
  expect(await wire.ask(oneMore)).toMatchObject({ result: {} });
  await wire.end();
});
