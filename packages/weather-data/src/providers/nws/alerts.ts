import { isObject } from '@mcp/kit';
import { invalidReply, listIn, objectIn, textIn } from '../../json-fields.ts';
import { alertOf, bySeverity, currentMessages } from '../cap.ts';
import { instantIn } from './format.ts';
import type { Alerts } from '../../model/series.ts';

/** Parses alerts (CAP in GeoJSON), also ended ones. Tests, cancellations and replaced alerts are left out. */
export function readAlerts(document: unknown): Alerts {
  const features = listIn(document, 'features');
  if (!features) throw invalidReply('The document of NWS is not a collection of alerts');
  const messages = features
    .map((feature) => objectIn(feature, 'properties'))
    .filter(isObject)
    .map((fields) => ({
      id: textIn(fields, 'id'),
      status: textIn(fields, 'status'),
      type: textIn(fields, 'messageType'),
      replaces: (listIn(fields, 'references') ?? []).flatMap((each) => textIn(each, 'identifier') ?? []),
      fields,
    }));
  const { current, notes } = currentMessages(messages);
  return {
    issuedAt: instantIn(document, 'updated') ?? null,
    alerts: current.map(({ fields }) => alertOf(fields)).toSorted(bySeverity),
    notes,
  };
}
