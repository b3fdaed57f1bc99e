import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Inspector } from '../src/inspect/inspector.ts';
import { servePage } from '../src/inspect/serve-page.ts';
import { ViewFrames } from '../src/inspect/view-frames.ts';
import { viewPolicy } from '../src/inspect/view-policy.ts';

// The frames of views that the page of `mcp inspect` shows; test/inspect-views.test.ts has them in a browser.

const view = { html: '<p title="a&quot;b">Hi</p>', csp: {}, permissions: {}, prefersBorder: true };

async function served() {
  const views = new ViewFrames();
  const inspector = new Inspector({ servers: {} as never, names: [], version: '1', views });
  const page = await servePage('<!doctype html>', { inspector, views }, 0);
  const { port } = new URL(page.url);
  const get = async (path: string, host: string) => {
    const sending = request({ host: '127.0.0.1', port, path, headers: { host: `${host}:${port}` } }).end();
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  return { views, page, port, get };
}

test('a frame is there once, on another host than the page, for the page alone', async () => {
  const { views, page, port, get } = await served();
  await using _ = page;
  const { path } = views.add(view);
  expect(path).toMatch(/^\/view\/[\w-]{32}$/);
  expect((await get(path, '127.0.0.1')).status).toBe(403);
  expect((await get(path, 'attacker.example')).status).toBe(403);
  const frame = await get(path, 'localhost');
  expect(frame.status).toBe(200);
  expect(frame.headers).toMatchObject({
    'content-security-policy': viewPolicy({}, `http://127.0.0.1:${port}`),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  expect(frame.body).toContain(
    'sandbox="allow-scripts" allow="" srcdoc="<p title=&quot;a&amp;quot;b&quot;>Hi</p>"',
  );
  expect((await get(path, 'localhost')).status).toBe(404);
  // The page itself is not there, whatever its token.
  expect((await get(`/${new URL(page.url).search}`, 'localhost')).status).toBe(404);
  expect((await get('/events', 'localhost')).status).toBe(404);
});

test('a page that takes no frame does not fill the memory', async () => {
  const views = new ViewFrames();
  const paths = Array.from({ length: 25 }, () => views.add(view).path);
  expect(paths.filter((path) => views.take(path, ''))).toEqual(paths.slice(5));
});

test('the policy permits what a view declares, and nothing that could change it', () => {
  const page = 'http://127.0.0.1:1';
  expect(viewPolicy({}, page)).toBe(
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
      "font-src data:; media-src data: blob:; worker-src blob:; connect-src 'none'; frame-src 'none'; " +
      `base-uri 'none'; form-action 'none'; frame-ancestors ${page}`,
  );
  const csp = {
    connectDomains: ['https://api.example', 'wss://*.live.example', "'self'", '*', 'https:', 7],
    resourceDomains: ['https://cdn.example; script-src *', 'https://cdn.example'],
    frameDomains: 'https://frame.example',
  };
  const policy = viewPolicy(csp, page);
  expect(policy).toContain("script-src 'unsafe-inline' https://cdn.example;");
  expect(policy).toContain('connect-src https://api.example wss://*.live.example;');
  expect(policy).toContain("frame-src 'none';");
  expect(new ViewFrames().add({ ...view, csp, permissions: { camera: {}, usb: {} } })).toMatchObject({
    allow: 'camera',
    notes: [
      `csp.connectDomains has "'self'", which is no origin and is left out`,
      'csp.connectDomains has "*", which is no origin and is left out',
      'csp.connectDomains has "https:", which is no origin and is left out',
      'csp.connectDomains has 7, which is no origin and is left out',
      'csp.resourceDomains has "https://cdn.example; script-src *", which is no origin and is left out',
    ],
  });
});
