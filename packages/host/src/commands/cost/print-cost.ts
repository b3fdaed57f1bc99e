import type { VendorName } from '@mcp/vendors';
import { printedCommand } from '../../printed-command.ts';
import type { Output } from '../../terminal/output.ts';
import { textWidth } from '../../terminal/table.ts';
import { sanitizeLine } from '../../terminal/sanitize.ts';
import { ageText } from '../../views/list-servers.ts';
import { countingText } from './counting.ts';
import type { Cost, NotCounted, ServerCost } from './measure.ts';
import { countText, numberText } from './number-text.ts';

/** How many of the tools with the most tokens are printed. */
const maxDearest = 10;

/** Prints the cost for a person. `isStarted` is whether the servers were started to be counted. */
export function printCost(
  cost: Cost,
  vendor: VendorName,
  { isStarted }: { readonly isStarted: boolean },
  output: Output,
): void {
  const { servers, notCounted } = cost;
  const names = columnOf([...servers, ...notCounted].map(({ server }) => server));
  const numbers = rightColumnOf(servers.map(({ tokens }) => countText(tokens, 'token')));
  for (const each of servers.toSorted((a, b) => b.tokens - a.tokens))
    output.text(`${names(each.server)}  ${numbers(countText(each.tokens, 'token'))}  ${detailsOf(each)}`);
  for (const each of notCounted) output.text(`${names(each.server)}  ${reasonOf(each, isStarted)}`);
  if (servers.length > 0) printSums(cost, vendor, output);
  const never = notCounted.filter(({ error }) => !error).map(({ server }) => server);
  if (never.length > 0 && !isStarted)
    output.note(`${printedCommand('cost', '--start', ...never)} starts and counts ${inWords(never)}`);
}

function detailsOf({ tools, hidden, at }: ServerCost): string {
  const less =
    hidden.tools === 0
      ? ''
      : `, without ${numberText(hidden.tools)} hidden of ${countText(hidden.tokens, 'token')}`;
  return `${countText(tools.length, 'tool')}${less}  (listed ${ageText(Date.now() - at)} ago)`;
}

function reasonOf({ error }: NotCounted, isStarted: boolean): string {
  if (error) return `not counted: ${sanitizeLine(error.message)}`;
  return isStarted
    ? 'not counted: its list is too long to be kept'
    : 'not counted: no list of its tools was read yet';
}

function printSums(cost: Cost, vendor: VendorName, output: Output): void {
  const { tools, tokens, hidden, lazy, counting, servers } = cost;
  output.text('');
  const each = `${countText(tools, 'tool')}, ${countText(tokens, 'token')}`;
  output.text(
    `In each request: ${output.styled('bold', each)}, in the form of ${vendor}, ${countingText[counting]}`,
  );
  const saved = tokens > lazy.tokens ? `, ${percent(tokens - lazy.tokens, tokens)} % less` : '';
  output.text(
    `As ${printedCommand('serve', '--lazy')}: ${countText(lazy.tools, 'tool')}, ${countText(lazy.tokens, 'token')}${saved}; calls of them find the others`,
  );
  if (hidden.tools > 0) {
    const hiding = servers.filter((each) => each.hidden.tools > 0).length;
    output.text(
      `Tools that are filtered or withheld save ${countText(hidden.tokens, 'token')}: ${countText(hidden.tools, 'tool')} of ${countText(hiding, 'server')}`,
    );
  }
  const dearest = dearestOf(cost);
  if (dearest.length < 2) return;
  output.text('');
  output.text(output.styled('bold', 'The dearest tools'));
  const names = columnOf(dearest.map(({ server, tool }) => `${server}.${tool}`));
  const numbers = rightColumnOf(dearest.map((tool) => numberText(tool.tokens)));
  for (const { server, tool, tokens: count } of dearest)
    output.text(`  ${names(`${server}.${tool}`)}  ${numbers(numberText(count))}`);
}

/** The tools with the most tokens, those with more first. */
function dearestOf({ servers }: Cost) {
  return servers
    .flatMap(({ server, tools }) => tools.map(({ name, tokens }) => ({ server, tool: name, tokens })))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, maxDearest);
}

/** The cost as `--json` prints it. */
export function costJson(cost: Cost, vendor: VendorName): object {
  const { servers, notCounted, ...sums } = cost;
  return {
    format: vendor,
    ...sums,
    servers: servers.map(({ at, ...each }) => ({ ...each, cachedAt: new Date(at).toISOString() })),
    notCounted: notCounted.map(({ server, error }) => ({ server, ...(error && { error: error.message }) })),
    dearest: dearestOf(cost),
  };
}

function percent(part: number, whole: number): number {
  return Math.floor((100 * part) / whole);
}

/** Pads texts on their right to the width of the widest. */
function columnOf(texts: readonly string[]): (text: string) => string {
  const width = Math.max(0, ...texts.map((text) => textWidth(sanitizeLine(text))));
  return (text) => {
    const clean = sanitizeLine(text);
    return clean + ' '.repeat(width - textWidth(clean));
  };
}

/** Pads texts on their left to the width of the widest. */
function rightColumnOf(texts: readonly string[]): (text: string) => string {
  const width = Math.max(0, ...texts.map((text) => text.length));
  return (text) => text.padStart(width);
}

function inWords(names: readonly string[]): string {
  return names.length > 3 ? `these ${names.length} servers` : names.join(', ');
}
