import { connectView, type Host, viewTools } from '@mcp/views/browser';

// Runs in Chromium, in the frame of its host: writes down what it gets.

export interface ViewPage {
  events: (readonly [what: string, value: unknown])[];
  host: Host;
  failed: unknown;
}

const page = globalThis as unknown as ViewPage;
page.events = [];
const write = (what: string) => (value: unknown) => void page.events.push([what, value]);

try {
  page.host = await connectView({
    name: 'dial',
    version: '1.0.0',
    displayModes: ['inline', 'fullscreen'],
    onPartialInput: write('partial'),
    onInput: write('input'),
    onResult: write('result'),
    onCancelled: write('cancelled'),
    onContext: (_, changed) => write('context')(changed),
    onTeardown: () => write('teardown')(undefined),
    tools: viewTools([
      { name: 'shown', description: 'Says what is shown.', run: ({ part }) => `all of ${String(part)}` },
    ]),
  });
} catch (error) {
  page.failed = String(error);
}
