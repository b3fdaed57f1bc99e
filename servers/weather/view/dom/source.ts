import { ageText } from '../model/dates.ts';
import type { Source } from '../model/weather.ts';
import { element, region } from '@mcp/views/dom';

interface SourceLine {
  readonly source: Source;
  /** Of the data, in minutes; null if it is unknown. */
  readonly ageMinutes: number | null;
  /** The offset of the place, such as `UTC+1`. */
  readonly offset: string;
  /** Why the last read has failed, or an empty text. */
  readonly problem: string;
}

/** Where the data are from, how old they are, and the zone of their times. */
export function sourceIn(part: HTMLElement): (line: SourceLine | undefined) => void {
  return region(part, (line) => {
    if (!line) return [];
    const { source, ageMinutes, offset, problem } = line;
    const age =
      ageMinutes === null
        ? 'of unknown age'
        : `${source.isIssued ? 'issued' : 'fetched'} ${ageText(ageMinutes * 60_000)}`;
    return [
      element(
        'p',
        {},
        source.isSample && element('strong', { class: 'tag' }, 'Sample data, not real weather'),
        source.isStale && !source.isSample && element('strong', { class: 'tag' }, 'Stale'),
        element('span', {}, `Source: ${source.name || 'unknown'}`),
        element('span', {}, age),
        element('span', {}, `${source.zone} (${offset})`),
      ),
      ...(problem === '' ? [] : [element('p', { class: 'problem' }, `Not refreshed: ${problem}`)]),
      ...(source.isSample ? [] : [element('p', {}, source.attribution)]),
      ...source.notes.map((note) => element('p', {}, note)),
    ];
  });
}
