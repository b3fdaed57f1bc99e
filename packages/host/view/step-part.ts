import { send } from './api.ts';
import { button, element } from './dom.ts';

/** The call with its answer as a step for `mcp test`, which is made when it is opened. */
export function stepPart(id: string): HTMLElement {
  const text = element('pre', { tabindex: 0, role: 'region', 'aria-label': 'The call for mcp test' });
  const copy = button('Copy', () => navigator.clipboard.writeText(text.textContent), {
    class: 'quiet-button',
  });
  const part = element('details', {}, element('summary', {}, 'As a call for mcp test'), text, copy);
  const fill = async () => {
    const made = send<string>({ do: 'step', id });
    text.textContent ||= await made.catch((error: unknown) => (error instanceof Error ? error.message : ''));
  };
  part.addEventListener('toggle', () => void fill());
  return part;
}
