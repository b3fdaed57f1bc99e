import { messageOf } from '@mcp/kit';
import { type ListItems, type ListName, readList } from '../servers/lists.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, note, warning, fault } = findingsOf('lists');

export interface Examined {
  readonly findings: readonly Finding[];
  readonly tools: readonly ListItems['tools'][];
  /** Milliseconds of the list that took longest. */
  readonly longestMs: number;
}

const kinds = { tools: 'tools', resources: 'resources', resourceTemplates: 'templates', prompts: 'prompts' };

/** Reads and measures all lists for which the server declares the capability. */
export async function checkLists({ client, entry }: Session): Promise<Examined> {
  const findings: Finding[] = [];
  let tools: readonly ListItems['tools'][] = [];
  let longestMs = 0;
  for (const [kind, title] of Object.entries(kinds) as [ListName, string][]) {
    if (client.capabilities[kind === 'resourceTemplates' ? 'resources' : kind] === undefined) continue;
    try {
      const started = performance.now();
      const items = await readList(client, entry, kind, {});
      longestMs = Math.max(longestMs, performance.now() - started);
      findings.push(sizeOf(title, items));
      if (kind === 'tools') tools = items as readonly ListItems['tools'][];
      findings.push(...duplicatesOf(title, items));
    } catch (error) {
      // Some servers with resources do not support the list of templates, which has no capability of its own.
      const message = `the list of ${title}, whose capability is declared, fails: ${messageOf(error)}`;
      const mend = 'answer the list, or do not declare the capability';
      findings.push(kind === 'resourceTemplates' ? note(message) : fault(message, mend));
    }
  }
  const undescribed = tools.filter(({ description }) => !description);
  if (undescribed.length > 0) {
    const names = undescribed.map(({ name }) => name);
    findings.push(
      warning(
        `tools without a description: ${shortened(names)}`,
        'describe them: a model chooses a tool by its description',
        { tools: names },
      ),
    );
  }
  return { findings, tools, longestMs };
}

function sizeOf(title: string, items: readonly object[]): Finding {
  const text = JSON.stringify(items);
  const [bytes, tokens] = [Buffer.byteLength(text), estimateTokens(text)];
  const message = `${items.length} ${title}: ${bytes} bytes, about ${tokens} tokens`;
  const data = { list: title, items: items.length, bytes, tokens };
  return ok(message, data);
}

function duplicatesOf(title: string, items: readonly object[]): Finding[] {
  const ids = items.map((item) => String(Object.entries(item).find(([key]) => key === idOf(title))?.[1]));
  const known = new Set<string>();
  const twice = [...new Set(ids.filter((id) => known.has(id) || !known.add(id)))];
  return twice.length === 0
    ? []
    : [
        fault(`${title} that are listed twice: ${shortened(twice)}`, 'give each of them a name of its own', {
          twice,
        }),
      ];
}

function idOf(title: string): string {
  if (title === 'resources') return 'uri';
  return title === 'templates' ? 'uriTemplate' : 'name';
}

function shortened(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}
