import { plainLine } from '../../errors.ts';
import { invalidReply, isJson, type Json, listIn, member, objectIn, textIn } from '../../json-fields.ts';
import { instantIn } from './format.ts';
import type { Alert, Alerts } from '../../model/series.ts';

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] as const;

/**
 * Reads a collection of alerts (CAP in GeoJSON): only real ones, without those that were cancelled or replaced. What
 * is over by the clock is left to whoever tells them.
 */
export function readAlerts(document: unknown): Alerts {
  const features = listIn(document, 'features');
  if (!features) throw invalidReply('The reply is no collection of alerts');
  const messages = features.map((feature) => objectIn(feature, 'properties')).filter(isJson);
  const real = messages.filter((message) => (textIn(message, 'status') ?? 'Actual') === 'Actual');
  const notes: string[] = [];
  const drills = messages.length - real.length;
  if (drills > 0)
    notes.push(
      `${drills} of the messages ${drills === 1 ? 'is a test' : 'are tests'} or exercises and left out`,
    );

  // An update or a cancellation names the messages that it takes the place of.
  const gone = new Set(
    real
      .filter((message) => ['Update', 'Cancel'].includes(textIn(message, 'messageType') ?? ''))
      .flatMap((message) => listIn(message, 'references') ?? [])
      .map((reference) => textIn(reference, 'identifier')),
  );
  const alerts = real
    .filter((message) => textIn(message, 'messageType') !== 'Cancel')
    .map(alertOf)
    .filter(({ id }) => id === '' || !gone.has(id))
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
    over:
      (member(message, 'ends') === null ? undefined : instantIn(message, 'ends')) ??
      instantIn(message, 'expires') ??
      null,
  };
}

function lineIn(message: Json, name: string): string | null {
  const text = textIn(message, name);
  return text === undefined ? null : plainLine(text);
}
