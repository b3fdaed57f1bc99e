import type { Fetched } from '../cache/upstream-document.ts';
import { invalidArgument } from '../errors.ts';
import type { AlertArea } from '../providers/provider.ts';
import { activeAlerts } from '../model/upcoming.ts';
import type { Alert, Alerts } from '../model/series.ts';
import { type Answer, composeAnswer } from './answer.ts';
import type { Facts, Subject } from '../text/provenance.ts';

const pageSize = 20;

/** A page of alerts ends before this number of characters, because hosts cut longer answers. */
const maxPageLength = 30_000;

/** The active alerts, most severe first; `cursor` is the number of alerts on earlier pages. */
export function alertsAnswer(
  fetched: Fetched<Alerts>,
  where: AlertArea,
  cursor: number,
  now: number,
): Answer {
  const place = 'place' in where ? where.place : undefined;
  const { alerts, notes } = activeAlerts(fetched, now);
  const page = pageOf(alerts.slice(cursor, cursor + pageSize));
  if (cursor > 0 && page.length === 0)
    throw invalidArgument(
      'cursor',
      `Invalid cursor: ${cursor}; expected 0 to ${Math.max(0, alerts.length - 1)}`,
    );
  const next = cursor + page.length < alerts.length ? cursor + page.length : undefined;
  const count =
    alerts.length === 0
      ? 'No active alerts'
      : `${alerts.length} active alert${alerts.length === 1 ? '' : 's'}`;
  const text = [
    `${count}${'state' in where ? ` in ${where.state}` : ''}${next === undefined ? '' : `; showing ${cursor + 1} to ${next}, continue with cursor ${next}`}`,
    ...page.map(alertText),
  ].join('\n\n');
  const subject: Subject = { place, issuedAt: fetched.model.issuedAt, stale: fetched.stale, notes };
  return composeAnswer(fetched, subject, now, text, {
    ...('state' in where && { state: where.state }),
    count: alerts.length,
    alerts: page.map(alertFacts),
    ...(next !== undefined && { nextCursor: next }),
  });
}

/** The first alerts, as many as fit on a page; at least one. */
function pageOf(alerts: readonly Alert[]): readonly Alert[] {
  let length = 0;
  const end = alerts.findIndex((alert) => (length += alertText(alert).length) > maxPageLength);
  return end === -1 ? alerts : alerts.slice(0, Math.max(1, end));
}

/** Returns the text of an alert. The weather office's texts are untrusted, so they are put in quotes. */
function alertText(alert: Alert): string {
  const { event, severity, urgency, certainty, area, reach, language = 'en' } = alert;
  const { headline, description, instruction, sender } = alert;
  return [
    `${event} (severity ${severity}, urgency ${urgency}, certainty ${certainty})`,
    `Area: ${area}${reach === 'country' ? ' (without an outline: it may not include the place)' : ''}`,
    `${alert.onset === null ? '' : `From ${alert.onset} `}until ${alert.ends ?? 'further notice'}`,
    `${sender ?? 'The office'} writes${language.startsWith('en') ? '' : ` in the language ${language}`}:`,
    ...[headline, description, instruction].flatMap((part) => (part === null ? [] : quote(part))),
  ].join('\n');
}

function quote(text: string): string[] {
  return text.split('\n').map((line) => `> ${line}`.trimEnd());
}

function alertFacts({ zones: _zones, endsAt: _endsAt, ...facts }: Alert): Facts {
  return facts;
}
