import type { Alert } from '../model/weather.ts';
import { element, region } from '@mcp/views/dom';

interface Alerts {
  readonly alerts: readonly Alert[];
  readonly problem: string;
}

/** The official alerts, which open to the words of their office. */
export function alertsIn(part: HTMLElement): (alerts: Alerts) => void {
  return region(part, ({ alerts, problem }) => [
    ...(alerts.length > 0 ? [element('h2', { class: 'spoken' }, 'Official alerts')] : []),
    ...alerts.map(alertNode),
    ...(problem === '' ? [] : [element('p', { class: 'quiet' }, problem)]),
  ]);
}

function alertNode({ event, severity, area, isUncertain, from, until, sender, texts }: Alert): HTMLElement {
  const time = [from && `from ${from}`, until && `until ${until}`].filter(Boolean).join(' ');
  return element(
    'details',
    { class: 'alert', 'data-severity': severity },
    element(
      'summary',
      {},
      element('strong', {}, element('bdi', {}, event)),
      element('span', {}, [severity === 'Unknown' ? '' : severity, time].filter(Boolean).join(', ')),
    ),
    element(
      'blockquote',
      {},
      ...texts.map((text) => element('p', { dir: 'auto' }, text)),
      element('footer', {}, element('bdi', {}, [sender, area].filter(Boolean).join(' · '))),
    ),
    isUncertain && element('p', { class: 'quiet' }, 'Its area may not include this place.'),
  );
}
