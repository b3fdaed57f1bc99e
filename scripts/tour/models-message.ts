import { assertStatus, command, commandLine, type Mcp, say, title } from './stage.ts';

/** A string of an answer that is longer is cut, in characters. */
const maxString = 76;

/** A call in the message of a model, and the messages for its next request. */
export async function showModelsMessage(sample: Mcp): Promise<void> {
  title('A message of a model in the form of OpenAI, and the messages that answer it: a picture, too');
  const args = { place: 'Berlin', days: 2, chart: 'light' };
  const called = { name: 'weather__forecast', arguments: JSON.stringify(args) };
  const message = { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: called }] };
  const words = ['call', '--from', 'openai'];
  command(`echo '${JSON.stringify(message)}' | ${commandLine(words)}`);
  const answered = await sample.run(words, JSON.stringify(message));
  assertStatus(words, answered);
  const cut = (_key: string, value: unknown) =>
    typeof value === 'string' && value.length > maxString
      ? `${value.slice(0, maxString)}… ${value.length - maxString} more characters`
      : value;
  for (const each of JSON.parse(answered.stdout) as readonly unknown[]) say(JSON.stringify(each, cut));
}
