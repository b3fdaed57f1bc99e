import { messageOf } from '@mcp/kit';
import { type Note, type SourceTool, vendors } from '@mcp/vendors';
import { groupBy } from '../group-by.ts';
import type { ListItems } from '../servers/lists.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, note, fault } = findingsOf('schemas');

/**
 * Reports which parts of the tools' schemas a vendor's schemas cannot express. This is only a note, because
 * `mcp tools --format` rewrites the schemas. A schema without the type `object` is a fault: a vendor refuses
 * the whole request.
 */
export function checkSchemas(tools: readonly ListItems['tools'][]): Finding[] {
  if (tools.length === 0) return [];
  const wrong = tools.filter(({ inputSchema }) => inputSchema['type'] !== 'object');
  const findings: Finding[] = wrong.map(({ name, inputSchema }) =>
    fault(
      `${name}: the type of its inputSchema is ${JSON.stringify(inputSchema['type'])}; expected "object"`,
      'set "type": "object", also for a tool without arguments',
      {
        tool: name,
      },
    ),
  );
  // `s` stands for the name of the server: so a name is too long for a vendor only if the tool's own name is
  // too long.
  const sources = tools.map((tool) => ({ server: 's', tool: tool as SourceTool }));
  for (const [vendor, format] of Object.entries(vendors)) {
    try {
      const { notes } = format.toTools(sources);
      findings.push(...lossesOf(vendor, notes));
    } catch (error) {
      findings.push(
        fault(
          `${vendor}: cannot express the tools: ${messageOf(error)}`,
          'correct the schemas of the tools',
          {
            vendor,
          },
        ),
      );
    }
  }
  return findings;
}

/** One finding for each message in `notes` about what a vendor's schemas cannot express, with the places. */
function lossesOf(vendor: string, notes: readonly Note[]): Finding[] {
  if (notes.length === 0) return [ok(`${vendor}: can express all schemas`, { vendor })];
  return Array.from(
    groupBy(notes, ({ message }) => message),
    ([message, same]) => {
      const places = same.map(({ tool, path }) => `${tool}${path}`);
      const others = places.length > 1 ? ` and ${places.length - 1} more` : '';
      return note(`${vendor}: ${places[0]}${others}: ${message}`, { vendor, places });
    },
  );
}
