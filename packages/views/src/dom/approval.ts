import { element } from './element.ts';

/** A question, and the words of its buttons. */
export interface Approval {
  readonly question: string;
  /** What the first button does, such as `Delete 3 files`. */
  readonly confirm: string;
  /** Default: `Cancel`. */
  readonly cancel?: string;
}

/** Makes a question before something is done: nothing happens before the user has confirmed it. */
export function approvalNode(
  { question, confirm, cancel = 'Cancel' }: Approval,
  answered: (isConfirmed: boolean) => void,
): HTMLElement {
  const button = (text: string, kind: string, isConfirmed: boolean) => {
    const node = element('button', { type: 'button', class: kind }, text);
    node.addEventListener('click', () => answered(isConfirmed));
    return node;
  };
  return element(
    'div',
    { class: 'approval', role: 'group', 'aria-label': 'Confirmation' },
    element('span', {}, question),
    button(confirm, 'strong', true),
    button(cancel, 'plain', false),
  );
}
