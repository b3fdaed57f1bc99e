import { connectView } from '@mcp/views/browser';
import { cleanText } from './model/clean-text.ts';
import { readingOf } from './model/reading.ts';
import { Page } from './page.ts';
import { Refresher } from './refresher.ts';

type Arguments = { readonly [name: string]: unknown };

/** The tool of this server that only this page calls. */
const tool = 'refresh_forecast';

/** Arguments of `forecast` that say what its text is about: the page shows all of the weather. */
const ofText = new Set(['hourly', 'hours', 'models', 'astronomy', 'measures', 'chart', 'format']);

let asked: Arguments | undefined;
let places: string[] = [];

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
      const [first] = content;
      page.failed(
        cleanText(first?.type === 'text' ? first.text : '', 400) || 'The server returned no weather',
      );
    }
  } catch (error) {
    page.failed(cleanText(error instanceof Error ? error.message : String(error), 400));
  }
});

const host = connectView({
  name: 'weather',
  version: '1.0.0',
  onInput(args) {
    asked = Object.fromEntries(Object.entries(args).filter(([name]) => !ofText.has(name)));
    refresher.want();
  },
  onCancelled: () => page.failed('The call was cancelled'),
});

document.getElementById('refresh')!.addEventListener('click', () => refresher.want());
// The age and the present hour change without a reading.
setInterval(() => page.show(), 15_000);
host.catch((error: unknown) => page.failed(cleanText(String(error), 400)));
