import { constants } from 'node:os';
import { droppedText, numbered, pageOf } from '../output/page.ts';
import type { Run } from '../run/run.ts';
import { excerptOf, type Line } from './excerpt.ts';

/** An output with at most this number of characters is shown completely. */
const wholeLength = 12_000;

/** Returns as text how a run ended, its failures, its last lines, and how to read the rest. */
export function runText(run: Run): string {
  const { output, id } = run;
  const head = [
    statusLine(run),
    ...(run.unsandboxed === undefined ? [] : [`Not sandboxed: ${run.unsandboxed}`]),
  ];
  if (output.bytes === 0) return [...head, 'No output'].join('\n');
  const whole = pageOf(output, { line: 1, column: 0 }, wholeLength);
  if (whole.next === undefined) return [...head, whole.text].join('\n');
  const { failures, failingLines, last } = excerptOf(run);
  const omitted =
    failures.length < failingLines ? `, the first ${failures.length} of ${failingLines} lines` : '';
  return [
    ...head,
    ...(output.droppedBytes > 0 ? [droppedText(output)] : []),
    ...(failingLines > 0 ? [`Failures${omitted}:`, ...shown(failures)] : []),
    'Last lines:',
    ...shown(last),
    `All ${output.lines} lines: read_output with the cursor "${id}:1:0"; with match, only the lines that contain a text`,
  ].join('\n');
}

function shown(lines: readonly Line[]): string[] {
  return lines.map(({ line, text }) => numbered(line, text));
}

/** Returns a line that says how a run ended: exit code or signal, duration, and number of lines. */
export function statusLine(run: Run): string {
  const { ended, output, id } = run;
  const lines = `${output.lines} line${output.lines === 1 ? '' : 's'}`;
  if (!ended) return `Running since ${run.startedAt.toISOString()}, ${lines} so far; run ${id}`;
  const after = `after ${secondsText(ended.durationMs)}, ${lines}; run ${id}`;
  const limit = secondsText(run.timeoutMs);
  if (ended.stopped === 'timeout')
    return `Stopped at its time limit of ${limit}, with all its processes, ${after}`;
  if (ended.stopped === 'cancelled') return `Cancelled, with all its processes, ${after}`;
  if (ended.signal) return `Ended by ${ended.signal} ${after}`;
  const { code } = ended;
  return `${code === 0 ? 'Done' : 'Failed'}: exit code ${code}${signalOf(code ?? 0)} ${after}`;
}

/** Returns the signal behind an exit code: a shell or sandbox reports a signal as 128 plus its number. */
function signalOf(code: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name === undefined ? '' : ` (128 + ${name})`;
}

function secondsText(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}
