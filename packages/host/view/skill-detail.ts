import { send } from './api.ts';
import { button, byId, cut, element, trouble } from './dom.ts';
import { bytesText } from './timeline.ts';
import { textOf } from './text-of.ts';
import type { ReadSkillFile, ShownSkill } from '../src/inspect/shown.ts';

/** Shows a skill: what its frontmatter says, and its files, which are compared with their digests. */
export function skillDetail(server: string, skill: ShownSkill): object {
  const content = element('div', { 'aria-live': 'polite' });
  const files = skill.files.map((file) => fileRow(server, skill, file, content));
  const verify = async () => {
    try {
      for (const { read } of files) await read();
    } catch (error) {
      content.replaceChildren(trouble(error));
    }
  };
  byId('detail').replaceChildren(
    element('p', { class: 'kind-of' }, 'Skill'),
    element('h2', {}, cut(skill.name, 'name')),
    element('p', { class: 'marks' }, element('span', {}, cut(skill.uri, 'name'))),
    element('p', { dir: 'auto', class: 'description' }, cut(skill.description, 'description')),
    ...Object.entries(skill.frontmatter)
      .filter(([name]) => name !== 'name' && name !== 'description')
      .map(([name, value]) =>
        element('p', {}, element('b', {}, cut(name, 'name')), ' ', cut(textOf(value), 'description')),
      ),
    element('div', { class: 'actions' }, button('Verify', verify, { class: 'primary' })),
    element('ul', { class: 'findings', 'aria-label': 'Files' }, ...files.map(({ node }) => node)),
    content,
  );
  return {};
}

/** A file with its size and its state; `read` reads and compares it, and shows its text in `content`. */
function fileRow(
  server: string,
  { uri: skill }: ShownSkill,
  { uri, path, size, digest }: ShownSkill['files'][number],
  content: HTMLElement,
) {
  const state = element('span', { class: 'level' }, 'not read');
  const reason = element('span', { dir: 'auto', class: 'quiet' }, digest ?? 'no digest');
  const read = async () => {
    const found = await send<ReadSkillFile>({ do: 'skill-file', server, skill, uri });
    const { text, problem } = found;
    node.className = problem === undefined ? 'ok' : 'fault';
    state.textContent = problem === undefined ? 'verified' : 'not verified';
    reason.textContent = problem ?? digest ?? '';
    return text;
  };
  const show = async () => {
    try {
      const text = await read();
      const label = { tabindex: 0, role: 'region', 'aria-label': path, class: 'prose', dir: 'auto' };
      content.replaceChildren(element('pre', label, text ?? 'This file has no text to show'));
    } catch (error) {
      content.replaceChildren(trouble(error));
    }
  };
  const node = element(
    'li',
    {},
    element('b', {}, size === undefined ? '' : bytesText(size)),
    state,
    button(cut(path, 'name'), show, { class: 'quiet-button' }),
    reason,
  );
  return { node, read };
}
