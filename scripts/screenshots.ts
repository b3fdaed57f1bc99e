import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from 'fast-png';
import { ViewBrowser } from '../test/views/shown-view.ts';
import { InspectorPage } from '../test/views/inspector-page.ts';
import { showForecast } from '../test/views/weather-page.ts';

// Makes the pictures of the views and of the inspector, in docs/pictures, from the running servers with their
// samples:
// `pnpm exec node --conditions=@mcp/source scripts/screenshots.ts`

const directory = join(import.meta.dirname, '../docs/pictures');
mkdirSync(directory, { recursive: true });

const places = ['Berlin', 'Kathmandu', 'McMurdo'];
const pictures = [
  { name: 'weather-light', width: 720, theme: 'light', place: places },
  { name: 'weather-dark', width: 720, theme: 'dark', place: places },
  { name: 'weather-phone-light', width: 375, theme: 'light', place: 'Berlin' },
  { name: 'weather-phone-dark', width: 375, theme: 'dark', place: 'Berlin' },
] as const;

await using browser = await ViewBrowser.start();
for (const { name, width, theme, place } of pictures) {
  await using shown = await showForecast(browser, { width, theme, input: { place } });
  await shown.frame.waitForSelector('#picture svg');
  write(name, await shown.page.screenshot({ fullPage: true }));
  for (const error of shown.errors) console.error(error);
}

for (const theme of ['light', 'dark'] as const) {
  await using inspector = await InspectorPage.open({ width: 1280, height: 800 });
  await inspector.theme(theme);
  await inspector.server('weather');
  await inspector.server('files');
  await inspector.choose('read_text_file');
  await inspector.page.type('main .field input', 'notes.txt');
  await inspector.call();
  await inspector.server('lab');
  await inspector.choose('noisy');
  await inspector.call();
  await inspector.server('weather');
  await inspector.choose('forecast');
  await inspector.page.type('main .alternatives input', 'Kathmandu');
  await inspector.call();
  await inspector.page.waitForSelector('#rows .result .method ::-p-text(tools/call)');
  await inspector.page.focus('#list');
  await inspector.page.keyboard.press('End');
  await inspector.page.waitForSelector('#message ::-p-text(jsonrpc)');
  await inspector.page.evaluate('document.activeElement.blur()');
  write(`inspect-${theme}`, await inspector.page.screenshot());
  for (const error of inspector.errors) console.error(error);
}

function write(name: string, png: Uint8Array): void {
  const path = join(directory, `${name}.png`);
  writeFileSync(path, withFewerShades(png));
  console.log(`${name}.png: ${statSync(path).size.toLocaleString('en')} bytes`);
}

/** The same picture with fewer shades, which nobody sees, and without transparency: a third of the size. */
function withFewerShades(png: Uint8Array): Uint8Array {
  const { width, height, data, channels } = decode(png);
  const pixels = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index++)
    for (let channel = 0; channel < 3; channel++)
      pixels[index * 3 + channel] = Math.min(255, Math.round(data[index * channels + channel]! / 5) * 5);
  return encode({ width, height, data: pixels, channels: 3 }, { zlib: { level: 9 } });
}
