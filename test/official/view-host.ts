import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { BridgePage, ViewFrame } from '../views/bridge-page.ts';

// Runs in Chromium: the official host of a view, in whose frame the view is, with everything that it is told.

const page = globalThis as unknown as BridgePage;
page.seen = [];

page.show = async (html, hostContext) => {
  const frame = page.document.createElement('iframe') as ViewFrame;
  frame.setAttribute('sandbox', 'allow-scripts');
  page.document.body.append(frame);
  page.frame = frame;
  const capabilities = {
    openLinks: {},
    serverTools: {},
    serverResources: {},
    logging: {},
    message: { text: {} },
    updateModelContext: { text: {} },
  };
  const info = { name: 'official', version: '2.0.4' };
  const bridge = new AppBridge(null, info, capabilities, { hostContext: hostContext as never });
  page.bridge = bridge as never;
  const log = (what: string, params: unknown) => void page.seen.push([what, params]);
  bridge.oncalltool = async (params) => {
    log('tools/call', params);
    return { content: [{ type: 'text', text: `called ${params.name}` }], structuredContent: { turns: 2 } };
  };
  bridge.onreadresource = async ({ uri }) => {
    log('resources/read', { uri });
    return { contents: [{ uri, text: 'tick' }] };
  };
  bridge.onmessage = async (params) => {
    log('ui/message', params);
    return {};
  };
  bridge.onopenlink = async (params) => {
    log('ui/open-link', params);
    return { isError: params.url.includes('refuse') };
  };
  bridge.onupdatemodelcontext = async (params) => {
    log('ui/update-model-context', params);
    return {};
  };
  bridge.onrequestdisplaymode = async (params) => {
    log('ui/request-display-mode', params);
    bridge.setHostContext({ ...hostContext, displayMode: 'fullscreen' } as never);
    return { mode: 'fullscreen' };
  };
  bridge.onsizechange = (params) => log('size', params);
  bridge.onloggingmessage = (params) => log('log', params);
  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const { contentWindow } = frame;
  // The transport is there before the view, which begins at once.
  await bridge.connect(new PostMessageTransport(contentWindow as never, contentWindow as never));
  frame.srcdoc = html;
  await initialized;
  // At once, as a host that has the result already.
  await bridge.sendToolInputPartial({ arguments: { place: 'Vi' } });
  await bridge.sendToolInput({ arguments: { place: 'Vienna' } });
  await bridge.sendToolResult({
    content: [{ type: 'text', text: 'noon' }],
    structuredContent: { hour: 12 },
  });
  return { app: bridge.getAppVersion(), capabilities: bridge.getAppCapabilities() };
};
