import { expect, test } from 'vitest';
import { type Caller, defineResource, defineServer, defineTool } from '@mcp/protocol';
import { type Authorization, InvalidProof, type TokenUse, VerifierUnavailable } from '../src/http.ts';
import { EventReader } from './http/events.ts';
import { HttpWire } from './http/http-wire.ts';
import { initialize, stateless } from './requirements/wire.ts';

// Streams that stay open while their token expires, is revoked, or cannot be verified.

const session = '2025-11-25';
const recheckMs = 20;
const sse = { path: '/sse', postPath: '/messages' };
const ann = { authorization: 'Bearer ann' };

/** Serves a tool that runs until the test ends it. `tokens` has the valid tokens, and `again` the checks. */
class Served implements AsyncDisposable {
  readonly tokens = new Map<string, Caller | Error>([['ann', { principal: 'ann', scopes: ['a', 'b'] }]]);
  readonly again: TokenUse[] = [];
  readonly warnings: string[] = [];
  readonly work = Promise.withResolvers<string>();
  readonly aborted = Promise.withResolvers<void>();
  #checked = Promise.withResolvers<void>();
  #wire: HttpWire | undefined;

  static async open(version: string): Promise<Served> {
    const served = new Served();
    const authorization: Authorization = { verify: (token, use) => served.#verify(token, use) };
    const onWarning = (message: string) => served.warnings.push(message);
    const options = { authorization, sse, limits: { recheckMs }, onWarning };
    served.#wire = await HttpWire.open(served.#server(), version, options, {}, ann);
    return served;
  }

  get wire(): HttpWire {
    return this.#wire!;
  }

  #server() {
    const tool = defineTool({
      name: 'work',
      description: 'Works until the test ends it.',
      run: (_, { progress, signal }) => {
        signal.addEventListener('abort', () => this.aborted.resolve());
        progress(1);
        return this.work.promise;
      },
    });
    const note = defineResource({ uri: 'note:///1', name: 'note', read: () => '', watch: () => () => {} });
    const hidden = { name: 'hidden', description: 'Needs the scope c.', requires: ['c'], run: () => '' };
    const tools = [tool, defineTool(hidden)];
    return defineServer({ name: 'example', version: '1.0.0', tools, resources: [note] });
  }

  #verify(token: string, use: TokenUse): Caller | undefined {
    if (use.again) this.again.push(use);
    this.#checked.resolve();
    this.#checked = Promise.withResolvers();
    const found = this.tokens.get(token);
    if (found instanceof Error) throw found;
    return found && Date.now() < (found.expiresAt ?? Infinity) ? found : undefined;
  }

  /** Resolves after so many more checks of open streams. */
  async checks(count: number): Promise<void> {
    const until = this.again.length + count;
    while (this.again.length < until) await this.#checked.promise;
  }

  async listen(token = 'ann'): Promise<EventReader> {
    const { wire } = this;
    const authorization = `Bearer ${token}`;
    if (wire.version !== stateless) return new EventReader(await wire.get({ authorization }));
    const notifications = { resourceSubscriptions: ['note:///1'], toolsListChanged: true };
    const reader = new EventReader(
      await wire.ask('subscriptions/listen', { notifications }, { authorization }),
    );
    expect(await reader.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    return reader;
  }

  async call(token = 'ann'): Promise<EventReader> {
    const meta = { progressToken: 1 };
    const message = this.wire.request('tools/call', { name: 'work', arguments: {} }, meta);
    const reader = new EventReader(await this.wire.send(message, { authorization: `Bearer ${token}` }));
    expect(await reader.message()).toMatchObject({ method: 'notifications/progress' });
    return reader;
  }

  /** A conversation over HTTP+SSE. */
  async converse(token: string) {
    const headers = { authorization: `Bearer ${token}` };
    const events = new EventReader(await fetch(new URL(sse.path, this.wire.url), { headers }));
    const target = new URL((await events.next())?.data ?? '', this.wire.url);
    const post = (message: object, as = token) =>
      fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
        body: JSON.stringify(message),
      });
    await post(initialize(1, session));
    expect(await events.message()).toMatchObject({ id: 1 });
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return { events, post };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.work.resolve('Done');
    await this.wire.close();
  }
}

test.each([stateless, session])(
  'a stream of %s on which a client listens ends with its token',
  async (at) => {
    await using served = await Served.open(at);
    const stream = await served.listen();
    await served.checks(2);
    expect(served.again[0]).toEqual({
      again: true,
      scheme: 'Bearer',
      proof: undefined,
      method: at === stateless ? 'POST' : 'GET',
      url: undefined,
    });
    served.tokens.delete('ann');
    expect((await stream.rest()).filter(({ data }) => data)).toEqual([]);
  },
);

test.each<[string, Caller | Error]>([
  ['belongs to another principal', { principal: 'ben', scopes: ['a', 'b'] }],
  ['has lost a scope', { principal: 'ann', scopes: ['a'] }],
  ['is bound to another key', new InvalidProof('Another key')],
])('a stream ends if its token %s', async (_, changed) => {
  await using served = await Served.open(stateless);
  const stream = await served.listen();
  served.tokens.set('ann', changed);
  expect(await stream.rest()).toEqual([]);
});

test('a call without a session is cancelled when its token is revoked', async () => {
  await using served = await Served.open(stateless);
  const stream = await served.call();
  served.tokens.delete('ann');
  expect(await stream.rest()).toEqual([]);
  await served.aborted.promise;
});

test('the stream of a call in a session ends when its token is revoked; another token gets the answer', async () => {
  await using served = await Served.open(session);
  served.tokens.set('next', { principal: 'ann' });
  const response = await served.wire.send(
    served.wire.request('tools/call', { name: 'work', arguments: {} }, { progressToken: 1 }),
    ann,
  );
  const stream = new EventReader(response);
  const primer = await stream.next();
  served.tokens.delete('ann');
  await stream.rest();
  served.work.resolve('Done');
  const headers = { authorization: 'Bearer next', 'last-event-id': primer?.id ?? '' };
  const resumed = new EventReader(await served.wire.get(headers));
  expect(await resumed.message()).toMatchObject({ method: 'notifications/progress' });
  expect(await resumed.message()).toMatchObject({ result: { content: [{ text: 'Done' }] } });
});

test.each([stateless, session])(
  'at %s, a stream on which a client listens ends with the expiry of its token, a call does not',
  async (at) => {
    await using served = await Served.open(at);
    // The token of this stream does not expire, so its checks tell when others took place.
    await served.listen();
    const expiresAt = Date.now() + 1_000;
    served.tokens.set('short', { principal: 'ann', expiresAt });
    const call = await served.call('short');
    const stream = await served.listen('short');
    await stream.rest();
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
    await served.checks(3);
    served.work.resolve('Done');
    expect(await call.message()).toMatchObject({ result: { content: [{ text: 'Done' }] } });
  },
);

test('while tokens cannot be verified, a call goes on, and a client may listen for four checks', async () => {
  await using served = await Served.open(stateless);
  const call = await served.call();
  const stream = await served.listen();
  served.tokens.set('ann', new VerifierUnavailable('The keys are away'));
  await stream.rest();
  served.work.resolve('Done');
  expect(await call.message()).toMatchObject({ result: {} });
  expect(served.warnings).toEqual(['Cannot verify tokens: The keys are away']);
});

test('a stream of HTTP+SSE goes on with the token of the last message, and ends with that', async () => {
  await using served = await Served.open(session);
  served.tokens.set('next', { principal: 'ann' });
  const { events, post } = await served.converse('ann');
  await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, 'next');
  expect(await events.message()).toMatchObject({ id: 2 });
  served.tokens.delete('ann');
  await served.checks(3);
  await post({ jsonrpc: '2.0', id: 3, method: 'ping' }, 'next');
  expect(await events.message()).toMatchObject({ id: 3 });
  served.tokens.delete('next');
  expect(await events.rest()).toEqual([]);
});

test('a stream of HTTP+SSE whose token expires ends when its calls are answered', async () => {
  await using served = await Served.open(session);
  await served.listen();
  const expiresAt = Date.now() + 500;
  served.tokens.set('short', { principal: 'ann', expiresAt });
  const { events, post } = await served.converse('short');
  const params = { name: 'work', arguments: {}, _meta: { progressToken: 1 } };
  await post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  expect(await events.message()).toMatchObject({ method: 'notifications/progress' });
  while (Date.now() < expiresAt) await served.checks(1);
  await served.checks(3);
  served.work.resolve('Done');
  expect(await events.message()).toMatchObject({ id: 2, result: {} });
  expect(await events.rest()).toEqual([]);
});

test.each([stateless, session, 'HTTP+SSE'])(
  'over %s, a stream reports the lists that change when its token gets a scope, and ends when it loses one',
  async (at) => {
    await using served = await Served.open(at === stateless ? stateless : session);
    const stream = at === 'HTTP+SSE' ? (await served.converse('ann')).events : await served.listen();
    const changed = { method: 'notifications/tools/list_changed' };
    served.tokens.set('ann', { principal: 'ann', scopes: ['a', 'b', 'unused'] });
    await served.checks(2);
    served.tokens.set('ann', { principal: 'ann', scopes: ['a', 'b', 'unused', 'c'] });
    expect(await stream.message()).toMatchObject(changed);
    await served.checks(2);
    served.tokens.set('ann', { principal: 'ann', scopes: ['a', 'b'] });
    expect(await stream.rest()).toEqual([]);
  },
);
