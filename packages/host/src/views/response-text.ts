import { isObject, numberText, parseNumberTexts } from '@mcp/kit';

/** Keeps the text of a response, because JavaScript has not all of the numbers that may be in it. */
export class ResponseText {
  #text = 'null';

  /** The option `onResponseText` of a call: of several responses, the last one has the result. */
  readonly keep = (text: string): void => {
    this.#text = text;
  };

  /** The result of the response, in which `JSON.stringify` writes numbers as the server has written them. */
  numbersIn<T>(result: T): T {
    const response = parseNumberTexts(this.#text);
    const source = isObject(response) ? response['result'] : undefined;
    // The result of a task is a member of the task.
    return withNumbers(withNumbers(result, source), isObject(source) && source['result']) as T;
  }
}

/** A value with those numbers of `source` that it has at the same place. */
function withNumbers(value: unknown, source: unknown): unknown {
  if (typeof value === 'number') {
    const text = numberText(source);
    return text !== undefined && Number(text) === value ? source : value;
  }
  if (Array.isArray(value) && Array.isArray(source))
    return value.map((each: unknown, index) => withNumbers(each, source[index]));
  if (!isObject(value) || !isObject(source) || numberText(value) !== undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withNumbers(each, source[key])]),
  );
}
