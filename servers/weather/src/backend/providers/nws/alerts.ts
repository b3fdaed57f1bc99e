import { plainLine } from '../../errors.ts';
import { invalidReply, isJson, type Json, listIn, member, objectIn, textIn } from '../../json-fields.ts';
import { instantIn } from './format.ts';
import type { Alert, Alerts } from '../../model/series.ts';

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] as const;

/**
 * Parses a collection of alerts (CAP in GeoJSON), without tests and without cancelled or replaced messages. Alerts that
 * have ended are included.
 */
export function readAlerts(document: unknown): Alerts {
  const features = listIn(document, 'features');
  if (!features) throw invalidReply('The reply is not a collection of alerts');
  const messages = features.map((feature) => objectIn(feature, 'properties')).filter(isJson);
  const actual = messages.filter((message) => (textIn(message, 'status') ?? 'Actual') === 'Actual');
  const notes: string[] = [];
  const drills = messages.length - actual.length;
  if (drills > 0) notes.push(`${drills} test or exercise message${drills === 1 ? ' is' : 's are'} left out`);

  // An update or a cancellation references the messages that it replaces.
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
  const title = textIn(document, 'title');
  return {
    title: title === undefined ? null : plainLine(title),
    issuedAt: instantIn(document, 'updated') ?? null,
    alerts,
    notes,
  };
}

function alertOf(message: Json): Alert {
  const given = textIn(message, 'severity');
  return {
    id: textIn(message, 'id') ?? '',
    event: lineIn(message, 'event') ?? 'Alert',
    severity: severities.find((severity) => severity === given) ?? 'Unknown',
    urgency: lineIn(message, 'urgency') ?? 'Unknown',
    certainty: lineIn(message, 'certainty') ?? 'Unknown',
    area: lineIn(message, 'areaDesc') ?? '',
    headline: lineIn(message, 'headline'),
    description: textIn(message, 'description') ?? null,
    instruction: textIn(message, 'instruction') ?? null,
    sender: lineIn(message, 'senderName'),
    sent: lineIn(message, 'sent'),
    onset: lineIn(message, 'onset') ?? lineIn(message, 'effective'),
    ends: lineIn(message, 'ends') ?? lineIn(message, 'expires'),
    zones: (listIn(objectIn(message, 'geocode'), 'UGC') ?? []).filter((zone) => typeof zone === 'string'),
    endsAt:
      (member(message, 'ends') === null ? undefined : instantIn(message, 'ends')) ??
      instantIn(message, 'expires') ??
      null,
  };
}

function lineIn(message: Json, name: string): string | null {
  const text = textIn(message, name);
  return text === undefined ? null : plainLine(text);
}
