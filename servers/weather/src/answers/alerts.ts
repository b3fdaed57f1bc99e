import type { Ask } from '../backend/cache/upstream-document.ts';
import { Failure, plainLine } from '../backend/errors.ts';
import { checkedState } from '../backend/weather-service.ts';
import { placeKey } from '../backend/places/place.ts';
import type { AlertArea } from '../backend/providers/provider.ts';
import { inForce } from '../backend/model/upcoming.ts';
import type { Alert } from '../backend/model/series.ts';
import { rendered } from './answer.ts';
import type { Weather } from '../context.ts';
import type { Facts, Subject } from '../text/provenance.ts';
import { onceAMinute, type Rendered } from './rendered.ts';

const pageSize = 20;
const mostCharacters = 2_000;

/** The official warnings that are in force, most severe first; `cursor` is how many were told before. */
export async function alertsAnswer(
  { forecasts }: Weather,
  area: AlertArea,
  ask: Ask,
  cursor = 0,
): Promise<Rendered> {
  const place = 'place' in area ? area.place : undefined;
  const where = 'state' in area ? { state: checkedState(area.state) } : area;
  const read = await forecasts.alerts(where, ask);
  const now = forecasts.clock.now();
  const key =
    'state' in where
      ? where.state
      : `${placeKey(where.place)} ${where.place.saved ?? ''} ${where.place.name ?? ''}`;
  return onceAMinute(read, `${key} ${cursor}`, now, () => {
    const { alerts, notes } = inForce(read, now);
    const page = alerts.slice(cursor, cursor + pageSize);
    if (cursor > 0 && page.length === 0)
      throw new Failure('invalid_argument', `cursor is from 0 to ${alerts.length - 1}, and not ${cursor}`, {
        argument: 'cursor',
      });
    const next = cursor + page.length < alerts.length ? cursor + page.length : undefined;
    const count =
      alerts.length === 0
        ? 'No alerts are in force'
        : `${alerts.length} alert${alerts.length === 1 ? '' : 's'} in force`;
    const text = [
      `${count}${'state' in where ? ` in ${where.state}` : ''}${next === undefined ? '' : `; these are ${cursor + 1} to ${next}, go on with cursor ${next}`}`,
      ...page.map(alertText),
    ].join('\n\n');
    const subject: Subject = { place, issuedAt: read.model.issuedAt, stale: read.stale, notes };
    return rendered(read, subject, now, text, {
      ...('state' in where && { state: where.state }),
      count: alerts.length,
      alerts: page.map(alertFacts),
      ...(next !== undefined && { nextCursor: next }),
    });
  });
}

/** What the office wrote is quoted: it is text from outside, whatever it says. */
function alertText(alert: Alert): string {
  const { event, severity, urgency, certainty, area, headline, description, instruction, sender } = alert;
  return [
    `${event} (severity ${severity}, urgency ${urgency}, certainty ${certainty})`,
    `Area: ${area}`,
    `${alert.onset === null ? '' : `From ${alert.onset} `}until ${alert.ends ?? 'further notice'}`,
    `${sender ?? 'The office'} writes:`,
    ...[headline, description, instruction].flatMap((part) => (part === null ? [] : quote(part))),
  ].join('\n');
}

function quote(text: string): string[] {
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}… (cut off)` : text;
  return cut.split('\n').map((line) => `> ${plainLine(line)}`.trimEnd());
}

function alertFacts(alert: Alert): Facts {
  const { id, event, severity, urgency, certainty, area, headline, sender, sent, onset, ends } = alert;
  return { id, event, severity, urgency, certainty, area, headline, sender, sent, onset, ends };
}
