import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { type Browser, type Page, puppeteer } from '../official/browser.ts';
import { repository, serverProgram } from '../server-program.ts';
import { chromium } from './bundle-script.ts';

const fixture = fileURLToPath(new URL('../../packages/host/test/fixture/server.ts', import.meta.url));

/** `mcp inspect` with servers, and its page in Chromium. */
export class InspectorPage implements AsyncDisposable {
  readonly page: Page;
  /** What has gone wrong in the page, such as an uncaught error or what its policy has refused. */
  readonly errors: string[] = [];
  readonly directory: TemporaryDirectory;
  readonly #browser: Browser;
  readonly #child: ChildProcess;

  private constructor(page: Page, browser: Browser, child: ChildProcess, directory: TemporaryDirectory) {
    this.page = page;
    this.#browser = browser;
    this.#child = child;
    this.directory = directory;
    page.on('pageerror', (error) => void this.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
  }

  /** Opens the page with servers by their names, by default with those of its tests. */
  static async open(
    look: { readonly width: number; readonly height?: number },
    servers?: Readonly<Record<string, object>>,
  ): Promise<InspectorPage> {
    const directory = new TemporaryDirectory('inspect');
    const watched = directory.put('watched.txt', 'start\n');
    directory.put('notes.txt', 'Milk\nBread\n');
    const node = (...args: string[]) => ({ command: process.execPath, args });
    const usual = {
      lab: node(bundledProgram(fixture), watched),
      weather: node(serverProgram('weather'), '--demo'),
      files: node(serverProgram('filesystem'), directory.root),
    };
    const mcpServers = servers ?? usual;
    const configuration = directory.put('mcp.json', JSON.stringify({ mcpServers }));
    const env = { PATH: process.env['PATH'] ?? '', HOME: join(directory.base, 'home') };
    const words = [join(repository, 'packages/host/dist/main.cjs'), '--config', configuration, 'inspect'];
    const child = spawn(process.execPath, words, {
      env,
      cwd: directory.base,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const args = ['--no-sandbox', '--font-render-hinting=none'];
    const browser = await puppeteer.launch({ executablePath: chromium, args });
    const page = await browser.newPage();
    const inspector = new InspectorPage(page, browser, child, directory);
    await page.setViewport({ height: 860, ...look, deviceScaleFactor: 1 });
    await page.goto(String(line).trim());
    await page.waitForSelector('#items li');
    return inspector;
  }

  async theme(value: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
  }

  /** Chooses a server, and waits until it is described. */
  async server(name: string): Promise<void> {
    await this.page.click(`nav ::-p-text(${name})`);
    await this.page.waitForSelector('main .kind-of ::-p-text(Server)');
  }

  /** Chooses an item of the list, such as a tool. */
  async choose(name: string): Promise<void> {
    await this.page.locator(`#items button ::-p-text(${name})`).click();
  }

  /** Calls what is chosen, and returns the answer as the page shows it. */
  async call(): Promise<string> {
    await this.page.$eval('.answers', (answers) => answers.replaceChildren());
    await this.page.click('form .primary');
    return this.textOf('.answers > *');
  }

  async textOf(selector: string): Promise<string> {
    await this.page.waitForSelector(selector);
    return this.page.$eval(selector, (part) => (part as unknown as { innerText: string }).innerText);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
    this.directory[Symbol.dispose]();
  }
}
