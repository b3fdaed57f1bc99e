import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { axe, type Browser, type Frame, type Page, puppeteer } from '../official/browser.ts';
import { bundleScript, chromium } from './bundle-script.ts';

/** The policy that hosts give to a view: no network, no code from text. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; require-trusted-types-for 'script'";

export interface ShownOptions {
  readonly html: string;
  readonly width: number;
  readonly theme?: 'light' | 'dark';
  /** The context of the host beside its theme. */
  readonly context?: object;
  /** The arguments of the call that shows the view. */
  readonly input: object;
  readonly result?: object;
  /** A script that runs in the view before its own. */
  readonly prelude?: string;
  /** Answers the calls of the view. */
  readonly callTool: (name: string, args: object) => Promise<object>;
}

/** A view in the frame of the official host. */
export interface ShownView {
  readonly page: Page;
  readonly frame: Frame;
  /** What has gone wrong in the pages, such as an uncaught error or what the policy has refused. */
  readonly errors: readonly string[];
}

/** Chromium with a page that is the official host. */
export class ViewBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #server: Server;

  private constructor(browser: Browser, server: Server) {
    this.#browser = browser;
    this.#server = server;
  }

  static async start(): Promise<ViewBrowser> {
    const host = await bundleScript('official/relay-host.ts');
    const style = 'body { margin: 0 } iframe { width: 100%; border: 0; display: block }';
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><style>${style}</style><body><script type="module">${host}</script>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const args = ['--no-sandbox', '--font-render-hinting=none'];
    return new ViewBrowser(await puppeteer.launch({ executablePath: chromium, args }), server);
  }

  async show({
    html,
    width,
    theme = 'light',
    context,
    input,
    result,
    prelude,
    callTool,
  }: ShownOptions): Promise<ShownView> {
    const page = await this.#browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.setViewport({ width, height: 900, deviceScaleFactor: 1 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.exposeFunction('callServer', callTool);
    await page.goto(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`);
    const first = prelude === undefined ? '' : `<script>${prelude}</script>`;
    const meta = `<meta http-equiv="content-security-policy" content="${policy}">`;
    const guarded = html.replace('<head>', () => `<head>${meta}${first}`);
    const call = { input, result: result ?? { content: [] } };
    const args = [guarded, { theme, ...context }, call].map((each) => JSON.stringify(each)).join();
    await page.evaluate(`show(${args})`);
    return { page, frame: page.frames()[1]!, errors };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** What axe finds wrong in a view: the rules, with the beginnings of their places. */
export async function violationsIn(frame: Frame): Promise<readonly unknown[]> {
  await frame.evaluate(axe.source);
  const { violations } = (await frame.evaluate('axe.run()')) as {
    violations: { id: string; nodes: object[] }[];
  };
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => JSON.stringify(node).slice(0, 300))]);
}

/** By how many pixels a view is wider than its frame. */
export function overflowOf(frame: Frame): Promise<unknown> {
  return frame.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}

/** The widths of a phone and of a desktop, light and dark. */
export const looks = [320, 720].flatMap((width) => [
  { width, theme: 'light' as const },
  { width, theme: 'dark' as const },
]);
