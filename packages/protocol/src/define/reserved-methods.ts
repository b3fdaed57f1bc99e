/**
 * The requests and notifications of all revisions of the specification. Peers would take a method of an
 * extension with one of these names for another message.
 */
const ofSpecification = new Set(
  (
    'initialize ping server/discover completion/complete logging/setLevel elicitation/create roots/list ' +
    'prompts/get prompts/list resources/list resources/read resources/subscribe resources/templates/list ' +
    'resources/unsubscribe sampling/createMessage subscriptions/listen tools/call tools/list ' +
    'notifications/cancelled notifications/elicitation/complete notifications/initialized ' +
    'notifications/message notifications/progress notifications/prompts/list_changed ' +
    'notifications/resources/list_changed notifications/resources/updated notifications/roots/list_changed ' +
    'notifications/subscriptions/acknowledged  ' +
    'notifications/tools/list_changed'
  ).split(' '),
);

const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Why the extension `id` cannot have a request or a notification of this name; undefined if it can. */
export function reasonAgainst(id: string, kind: 'method' | 'notification', name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (!/^[!-~]+$/.test(name))
    return 'it has a character that the HTTP header Mcp-Method cannot have; expected visible ASCII';
  if (ofSpecification.has(name)) return 'the protocol has it';
  if (/^(notifications\/)?tasks(\/|$)/.test(name) && id !== tasksExtension)
    return `the extension "${tasksExtension}" has such names`;
  if (name.startsWith('rpc.')) return 'JSON-RPC reserves names that begin with "rpc."';
  if (kind === 'method' && name.startsWith('notifications/')) return 'notifications have such names';
  return undefined;
}
