import { endSeconds, type Frame, framesOf, type Row, rowsOf } from './tour-rows.ts';

/** How many characters a row of the terminal has. */
const columns = 96;
/** How many rows of the terminal are visible at the same time. */
const rows = 21;

const rowHeight = 20;
const left = 18;
const top = 46;
const width = 860;
const height = top + rows * rowHeight + 14;

/**
 * Draws the output of the tour as a terminal in which it appears command by command, as an SVG in the
 * reader's colour scheme. The same text gives the same bytes.
 */
export function tourPicture(session: string): string {
  const all = rowsOf(session, columns);
  const frames = framesOf(all);
  const duration = frames.at(-1)!.at + endSeconds;
  const percent = ({ at }: Frame) => `${Math.round((at / duration) * 10_000) / 100}%`;
  const keyframes = (offset: (frame: Frame) => number) =>
    frames.map((frame) => `${percent(frame)}{transform:translateY(${offset(frame)}px)}`).join('');
  const scrolled = ({ shown }: Frame) => -Math.max(0, shown - rows) * rowHeight;
  const text = all
    .map((row, index) =>
      row.text === '' ? '' : `<text class="${row.kind}" y="${index * rowHeight}">${marked(row)}</text>\n`,
    )
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">The tour in a terminal: what the command mcp does with servers</title>
<style>
svg{--back:#fff;--bar:#f0f1f3;--edge:#d0d4da;--text:#24292f;--dim:#667080;--title:#0a58b8;--prompt:#1a7f37;--removed:#b42318}
@media (prefers-color-scheme:dark){svg{--back:#12161c;--bar:#1d232c;--edge:#363e49;--text:#dce3ea;--dim:#8d99a8;--title:#7ab8ff;--prompt:#5fd07a;--removed:#ff8f85}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}
.title{fill:var(--title);font-weight:600}
.command{font-weight:600}
.prompt,.added{fill:var(--prompt)}
.removed{fill:var(--removed)}
.dim{fill:var(--dim)}
.screen{animation:scroll ${duration}s step-end infinite}
.cover{fill:var(--back);transform:translateY(${rows * rowHeight}px);animation:cover ${duration}s step-end infinite}
@keyframes scroll{${keyframes(scrolled)}}
@keyframes cover{${keyframes(({ shown }) => shown * rowHeight)}}
@media (prefers-reduced-motion:reduce){.screen,.cover{animation:none}}
</style>
<clipPath id="window"><rect x="1" y="${top - 16}" width="${width - 2}" height="${height - top + 8}"/></clipPath>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="var(--back)" stroke="var(--edge)"/>
<path d="M1 28V8a7 7 0 0 1 7-7h${width - 16}a7 7 0 0 1 7 7v20z" fill="var(--bar)"/>
<circle cx="18" cy="15" r="5" fill="#ec6a5e"/><circle cx="36" cy="15" r="5" fill="#f4bf4f"/><circle cx="54" cy="15" r="5" fill="#61c554"/>
<text class="dim" x="${width / 2}" y="20" text-anchor="middle">pnpm start</text>
<g clip-path="url(#window)"><g transform="translate(${left} ${top})"><g class="screen">
${text}<rect class="cover" x="-${left - 1}" y="-15" width="${width - 2}" height="${all.length * rowHeight + height}"/>
</g></g></g>
</svg>
`;
}

function marked({ kind, text }: Row): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (kind !== 'command') return escaped;
  return escaped.replace(/^\$ /, '<tspan class="prompt">$ </tspan>');
}
