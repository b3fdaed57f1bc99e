import { expect, onTestFinished, test } from 'vitest';
import { defineServer, defineTool } from '@mcp/protocol';
import { serveHttp } from '@mcp/protocol/http';
import { stateless } from '../requirements/wire.ts';
import { basics, HttpWire, messageOf } from './http-wire.ts';

const server = defineServer({ name: 'test', version: '1.0.0' });

test('times may be longer than the delays of timers', async () => {
  // Node warns of a timer with such a delay, which would fire after a millisecond.
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    async run(_, { progress }) {
      progress(1);
      return 'Done';
    },
  });
  const authorization = { verify: () => ({ principal: 'ann' }) };
  const limits = { recheckMs: Infinity, keepAliveMs: 2 ** 31, stalledMs: Infinity, graceMs: 2 ** 40 };
  const working = defineServer({ name: 'test', version: '1.0.0', tools: [work] });
  await using wire = await HttpWire.open(working, stateless, { authorization, limits });
  const request = wire.request('tools/call', { name: 'work', arguments: {} }, { progressToken: 1 });
  const answer = await wire.send(request, { authorization: 'Bearer t' });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(await messageOf(answer)).toMatchObject({ result: { content: [{ text: 'Done' }] } });
  expect(warnings).toEqual([]);
});

test.each([NaN, -1, '5' as never])('a limit of %s is refused', async (value) => {
  await expect(serveHttp(server, { limits: { recheckMs: value } })).rejects.toThrow(
    `Invalid \`limits.recheckMs\`: ${value}; expected a number of 0 or more`,
  );
});

test('a limit that is undefined has its default', async () => {
  const limits = { maxRequests: undefined as never };
  await using wire = await HttpWire.open(server, stateless, { limits });
  expect((await wire.post('x'.repeat(2 ** 24 + 1), basics)).status).toBe(413);
  expect((await wire.ask('server/discover')).status).toBe(200);
});
