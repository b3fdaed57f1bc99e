import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { puppeteer } from '../test/official/browser.ts';
import { chromium } from '../test/views/bundle-script.ts';

// Makes docs/public/preview.png, which other sites show for a link to ours, of the logo and of a view:
// `pnpm exec node --conditions=@mcp/source scripts/preview-picture.ts`.

const docs = join(import.meta.dirname, '../docs');
const dataUrl = (type: string, path: string) =>
  `data:${type};base64,${readFileSync(join(docs, path)).toString('base64')}`;

const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.setViewport({ width: 1200, height: 630 });
await page.setContent(`<!doctype html>
<style>
  body { margin: 0; height: 630px; display: flex; background: #10151d; color: #fff; overflow: hidden;
    font-family: system-ui, 'Liberation Sans', sans-serif; }
  div { flex: 1; padding: 84px 24px 84px 84px; }
  h1 { margin: 36px 0 20px; font-size: 64px; line-height: 1.1; letter-spacing: -1px; }
  p { margin: 0; font-size: 30px; line-height: 1.4; color: #b9c4d3; }
  .view { align-self: center; width: 560px; margin-right: -60px; border-radius: 16px; box-shadow: 0 24px 80px #000; }
</style>
<div>
  <img src="${dataUrl('image/svg+xml', 'public/icon.svg')}" width="96" height="96" alt="">
  <h1>MCP servers</h1>
  <p>Files, git, SQLite, weather and commands for your model</p>
</div>
<img class="view" src="${dataUrl('image/png', 'pictures/weather-dark.png')}" alt="">`);
writeFileSync(join(docs, 'public/preview.png'), await page.screenshot());
await browser.close();
