import { connectView, type Host } from '@mcp/views/browser';
import { Refresher } from '@mcp/views/dom';
import { cleanText } from '@mcp/views/model';
import { readTimes } from './model/read-times.ts';
import { readingOf } from './model/reading.ts';
import { Page } from './page.ts';

type Arguments = { readonly [name: string]: unknown };

/** The tool of this server that only this page calls. */
const tool = 'refresh_forecast';

/** Arguments of `forecast` that say what its text is about: the page shows all of the weather. */
const ofText = new Set(['hourly', 'hours', 'models', 'astronomy', 'measures', 'chart', 'format']);

let asked: Arguments | undefined;
let places: string[] = [];
/** The text of the result that the page is shown with. */
let said = '';

const page = new Page({
  meant(index, place) {
    places = places.with(index, place);
    asked = { ...asked, place: places };
    refresher.want();
  },
});

const refresher = new Refresher(async () => {
  if (!asked) return;
  try {
    const { content, structuredContent, isError } = await (await host).callTool(tool, asked);
    const reading = isError ? undefined : readingOf(structuredContent);
    if (reading) {
      places = reading.places.map((place) => place.asked);
      page.read(reading);
    } else {
      page.failed(textOf(content, 400) || 'The server returned no weather', said);
    }
  } catch (error) {
    page.failed(cleanText(error instanceof Error ? error.message : String(error), 400), said);
  }
}, readTimes);

const host = connectView({
  name: 'weather',
  version: '1.0.0',
  onInput(args) {
    asked = Object.fromEntries(Object.entries(args).filter(([name]) => !ofText.has(name)));
    refresher.want();
  },
  onResult({ content }) {
    said = textOf(content, 20_000);
  },
  onCancelled: () => page.failed('The call was cancelled'),
});

document.getElementById('refresh')!.addEventListener('click', () => refresher.want());
// The age and the present hour change without a reading.
setInterval(() => page.show(), 15_000);
host.catch((error: unknown) => page.failed(cleanText(String(error), 400)));

function textOf([first]: Awaited<ReturnType<Host['callTool']>>['content'], maxLength: number): string {
  return first?.type === 'text' ? cleanText(first.text, maxLength) : '';
}
