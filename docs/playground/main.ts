import { javascript } from '@codemirror/lang-javascript';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { basicSetup, EditorView } from 'codemirror';
import { base, serverName, setProgram } from './api.ts';
import { forbidNetwork } from './policy.ts';

/** A program of a page of the documentation. */
interface Example {
  readonly name: string;
  readonly title: string;
  readonly program: string;
}

declare const examples: readonly Example[];

const select = document.querySelector<HTMLSelectElement>('#example')!;
const wanted = new URLSearchParams(location.search).get('example');
const first = examples.find(({ name }) => name === wanted) ?? examples[0]!;

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--bad)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.definition(tags.variableName)], fontWeight: '600' },
]);

const editor = new EditorView({
  doc: first.program,
  parent: document.querySelector('#code')!,
  extensions: [
    basicSetup,
    javascript({ typescript: true }),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'The program of the server' }),
  ],
});

// The keyboard scrolls it, too.
editor.scrollDOM.tabIndex = 0;
for (const { name, title } of examples) select.add(new Option(title, name, false, name === first.name));
select.addEventListener('change', () => {
  const { program = '' } = examples.find(({ name }) => name === select.value) ?? {};
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: program } });
  history.replaceState(null, '', `?example=${select.value}`);
  void run();
});
document.querySelector('#run')!.addEventListener('click', () => void run());
addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  void run();
});

forbidNetwork(base);
setProgram(first.program);
const { restart } = await import('../../packages/host/view/main.ts');

async function run(): Promise<void> {
  setProgram(editor.state.doc.toString());
  await restart(serverName);
}
