import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import type { Frame } from '../official/browser.ts';
import { bundleScript } from './bundle-script.ts';
import { InspectorPage } from './inspector-page.ts';
import type { ViewPage } from './view-page.ts';

const program = fileURLToPath(new URL('view-lab.ts', import.meta.url));

/** `mcp inspect` with a server whose tools have a view, which runs what a test says. */
export class InspectedView implements AsyncDisposable {
  readonly inspector: InspectorPage;
  readonly #directory: TemporaryDirectory;

  private constructor(inspector: InspectorPage, directory: TemporaryDirectory) {
    this.inspector = inspector;
    this.#directory = directory;
  }

  static async open(): Promise<InspectedView> {
    const directory = new TemporaryDirectory('inspected-view');
    const script = await bundleScript('views/view-page.ts');
    const style = '<style>html, body { margin: 0 } body { height: 123px }</style>';
    const html = `<!doctype html><title>Dial</title>${style}<script type="module">${script}</script>`;
    const args = [bundledProgram(program), directory.put('dial.html', html)];
    const server = { command: process.execPath, args };
    return new InspectedView(await InspectorPage.open({ width: 1280 }, { server }), directory);
  }

  /** Begins a call of a tool, and returns its view once the view has connected. */
  async show(tool: string, place?: string): Promise<Frame> {
    const { page } = this.inspector;
    await this.inspector.choose(tool);
    await page.waitForSelector(`main h2 ::-p-text(${tool})`);
    if (place !== undefined) await page.type('main .field input', place);
    await page.click('form .primary');
    await page.waitForSelector('.view [role=status] ::-p-text(dial 1.0.0)');
    return this.frame();
  }

  /** The frame of the view that is shown. */
  frame(): Frame {
    return this.inspector.page.frames().findLast((each) => each.url() === 'about:srcdoc')!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.inspector[Symbol.asyncDispose]();
    this.#directory[Symbol.dispose]();
  }
}

/** Runs a function in a view. */
export function inView<Value>(frame: Frame, run: (view: ViewPage) => Value | Promise<Value>): Promise<Value> {
  return frame.evaluate(`(${String(run)})(globalThis)`) as Promise<Value>;
}
