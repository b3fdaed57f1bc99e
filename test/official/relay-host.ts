import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { RelayPage } from '../views/relay-page.ts';
import type { ViewFrame } from '../views/bridge-page.ts';

// Runs in Chromium: the official host of a view. The tools that the view calls are those of a real server.

const page = globalThis as unknown as RelayPage;

page.show = async (html, hostContext, { input, result }) => {
  const frame = page.document.createElement('iframe') as ViewFrame;
  frame.setAttribute('sandbox', 'allow-scripts');
  page.document.body.append(frame);
  const info = { name: 'official', version: '2.0.4' };
  const bridge = new AppBridge(null, info, { serverTools: {} }, { hostContext: hostContext as never });
  page.bridge = bridge as never;
  bridge.oncalltool = async ({ name, arguments: args = {} }) => (await page.callServer(name, args)) as never;
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.setAttribute('height', String(height));
  };
  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const { contentWindow } = frame;
  await bridge.connect(new PostMessageTransport(contentWindow as never, contentWindow as never));
  frame.srcdoc = html;
  await initialized;
  await bridge.sendToolInput({ arguments: input as never });
  await bridge.sendToolResult(result as never);
};
