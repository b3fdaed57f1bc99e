import { isObject } from '@mcp/kit';
import {
  invalidReply,
  type Json,
  lineIn,
  listIn,
  member,
  objectIn,
  paragraphsIn,
  textIn,
} from '../../json-fields.ts';
import { instantIn } from './format.ts';
import type { Alert, Alerts } from '../../model/series.ts';

const maxTextLength = 2_000;
const maxAreaLength = 500;
const maxTimeLength = 40;

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] as const;

/** Parses alerts (CAP in GeoJSON), also ended ones; tests, cancelled and replaced ones are left out. */
export function readAlerts(document: unknown): Alerts {
  const features = listIn(document, 'features');
  if (!features) throw invalidReply('The document of NWS is not a collection of alerts');
  const messages = features.map((feature) => objectIn(feature, 'properties')).filter(isObject);
  const actual = messages.filter((message) => (textIn(message, 'status') ?? 'Actual') === 'Actual');
  const notes: string[] = [];
  const drills = messages.length - actual.length;
  if (drills > 0) notes.push(`${drills} test or exercise message${drills === 1 ? ' is' : 's are'} left out`);

  // An update or a cancellation lists the alerts that it replaces.
  const replaced = new Set(
    actual
      .filter((message) => ['Update', 'Cancel'].includes(textIn(message, 'messageType') ?? ''))
      .flatMap((message) => listIn(message, 'references') ?? [])
      .map((reference) => textIn(reference, 'identifier')),
  );
  const alerts = actual
    .filter((message) => textIn(message, 'messageType') !== 'Cancel')
    .map(alertOf)
    .filter(({ id }) => id === '' || !replaced.has(id))
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  return {
    issuedAt: instantIn(document, 'updated') ?? null,
    alerts,
    notes,
  };
}

function alertOf(message: Json): Alert {
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
