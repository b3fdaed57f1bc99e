import { instantIn } from './nws/format.ts';
import { type Json, lineIn, listIn, member, objectIn, paragraphsIn, textIn } from '../json-fields.ts';
import type { Alert } from '../model/series.ts';

const maxTextLength = 2_000;
/** The maximum number of characters of the list of areas in an alert. */
export const maxAreaLength = 500;
const maxTimeLength = 40;

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] as const;

/**
 * The members of a Common Alerting Protocol message that show whether it is a test message, and which
 * messages it replaces.
 */
export interface CapMessage {
  readonly id: string | undefined;
  readonly status: string | undefined;
  readonly type: string | undefined;
  /** The identifiers of the messages that this message updates or cancels. */
  readonly replaces: readonly string[];
}

/**
 * Leaves out test messages, cancellations, and messages that another message replaces or cancels. A note says
 * how many test messages there were.
 */
export function currentMessages<Message extends CapMessage>(
  messages: readonly Message[],
): { readonly current: readonly Message[]; readonly notes: readonly string[] } {
  const actual = messages.filter(({ status = 'Actual' }) => status === 'Actual');
  const replaced = new Set(
    actual.filter(({ type }) => type === 'Update' || type === 'Cancel').flatMap(({ replaces }) => replaces),
  );
  const drills = messages.length - actual.length;
  return {
    current: actual.filter(({ id, type }) => type !== 'Cancel' && (id === undefined || !replaced.has(id))),
    notes: drills > 0 ? [`${drills} test or exercise message${drills === 1 ? ' is' : 's are'} left out`] : [],
  };
}

/** Parses one alert. `message` has members with the names of the Common Alerting Protocol. */
export function alertOf(message: Json): Alert {
  const given = textIn(message, 'severity');
  return {
    id: lineIn(message, 'id') ?? '',
    event: lineIn(message, 'event') ?? 'Alert',
    severity: severities.find((severity) => severity === given) ?? 'Unknown',
    urgency: lineIn(message, 'urgency') ?? 'Unknown',
    certainty: lineIn(message, 'certainty') ?? 'Unknown',
    area: lineIn(message, 'areaDesc', maxAreaLength) ?? '',
    headline: lineIn(message, 'headline', maxAreaLength) ?? null,
    description: paragraphsIn(message, 'description', maxTextLength) ?? null,
    instruction: paragraphsIn(message, 'instruction', maxTextLength) ?? null,
    sender: lineIn(message, 'senderName') ?? null,
    sent: timeIn(message, 'sent') ?? null,
    onset: timeIn(message, 'onset') ?? timeIn(message, 'effective') ?? null,
    ends: timeIn(message, 'ends') ?? timeIn(message, 'expires') ?? null,
    zones: (listIn(objectIn(message, 'geocode'), 'UGC') ?? []).filter((zone) => typeof zone === 'string'),
    endsAt:
      (member(message, 'ends') === null ? undefined : instantIn(message, 'ends')) ??
      instantIn(message, 'expires') ??
      null,
  };
}

function timeIn(message: Json, name: string): string | undefined {
  return lineIn(message, name, maxTimeLength);
}

export function bySeverity(a: Alert, b: Alert): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity);
}
