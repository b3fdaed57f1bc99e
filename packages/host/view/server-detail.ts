import { send } from './api.ts';
import { button, element, trouble } from './dom.ts';
import type { Finding, ListChange, Opened, Surroundings } from './types.ts';

/** The server itself: its name, instructions, capabilities, what is wrong with it, and how others differ. */
export function serverNodes(
  server: string,
  { serverInfo, instructions, capabilities, problems, revision }: Opened,
  around: Surroundings,
): readonly Node[] {
  return [
    element('p', { class: 'kind-of' }, 'Server'),
    element('h2', {}, serverInfo?.title ?? serverInfo?.name ?? server),
    element(
      'p',
      { class: 'marks' },
      element('span', {}, serverInfo?.version ?? ''),
      ...Object.keys(capabilities).map((each) => element('span', {}, each)),
    ),
    ...problems.map(trouble),
    ...(around.checks ? checkNodes(server, revision, around) : []),
    ...(instructions === undefined
      ? []
      : [
          element(
            'pre',
            { class: 'prose', dir: 'auto', tabindex: 0, role: 'region', 'aria-label': 'Instructions' },
            instructions,
          ),
        ]),
  ];
}

/** A button that examines the server, and a choice of what to compare it with. */
function checkNodes(server: string, revision: string, { servers, revisions }: Surroundings): readonly Node[] {
  const report = element('div', { class: 'report', 'aria-live': 'polite' });
  const run = async (doing: string, work: () => Promise<readonly Node[]>) => {
    report.replaceChildren(element('p', { class: 'quiet' }, doing));
    report.replaceChildren(...(await work().catch((error: unknown) => [trouble(error)])));
  };
  const check = button('Check', () =>
    run(`Checking ${server} …`, async () => {
      const findings = await send<readonly Finding[]>({ do: 'examine', server });
      return [element('ul', { class: 'findings' }, ...findings.map(findingNode))];
    }),
  );
  const others = [
    ...revisions.filter((each) => each !== revision).map((each) => [`@${each}`, `revision ${each}`] as const),
    ...servers.filter((each) => each !== server).map((each) => [each, each] as const),
  ];
  const choice: HTMLSelectElement = element(
    'select',
    {
      'aria-label': 'Compare with',
      on: { change: () => choice.value !== '' && compare(choice.value) },
    },
    element('option', { value: '' }, 'Compare with …'),
    ...others.map(([value, text]) => element('option', { value }, text)),
  );
  const compare = (other: string) =>
    run('Comparing …', async () => {
      const changes = await send<readonly ListChange[]>({ do: 'compare', server, with: other });
      if (changes.length === 0) return [element('p', {}, 'No differences')];
      return [element('ul', { class: 'findings' }, ...changes.map(changeNode))];
    });
  return [element('div', { class: 'actions' }, check, choice), report];
}

function findingNode({ check, level, message, mend }: Finding): HTMLElement {
  return element(
    'li',
    { class: level },
    element('b', {}, check),
    element('span', { class: 'level' }, level),
    element('span', { dir: 'auto' }, message),
    mend === undefined ? '' : element('span', { dir: 'auto', class: 'quiet' }, mend),
  );
}

function changeNode({ list, name, kind, breaking, details }: ListChange): HTMLElement {
  const level = breaking ? 'fault' : 'note';
  return element(
    'li',
    { class: level },
    element('b', {}, list),
    element('span', { class: 'level' }, breaking ? `${kind}, breaking` : kind),
    element('span', { dir: 'auto' }, name),
    ...details.map(({ text }) => element('span', { dir: 'auto', class: 'quiet' }, text)),
  );
}
