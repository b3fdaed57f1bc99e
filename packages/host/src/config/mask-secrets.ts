import type { ExpandedVariable } from './definition.ts';

const secretName = /token|secret|password|passwd|key|auth|credential|cookie|session/i;

/** Forms that secrets are known to have. */
const secretValue = /^(?:sk-|gh[pousr]_|github_pat_|xox[abpr]-|glpat-|AKIA|AIza|eyJ[\w-]+\.|Bearer\s)/;

const mask = '••••';

/** A value as it may be shown: masked where its name or its form is that of a secret. */
export function maskValue(name: string, value: string): string {
  return value !== '' && (secretName.test(name) || secretValue.test(value)) ? mask : value;
}

/**
 * Arguments as they may be shown: `--token x`, `--api-key=x`, `API_KEY=x`, `Authorization: x` and values that look like
 * secrets are masked.
 */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((each, index) => {
    const before = args[index - 1] ?? '';
    const name = before.startsWith('-') && !before.includes('=') ? before : '';
    const { key, value } = /^(?<key>-*[\w.-]+(?:=|:\s*))(?<value>.+)$/s.exec(each)?.groups ?? {};
    if (key === undefined || value === undefined || maskValue(name, each) === mask)
      return maskValue(name, each);
    return `${key}${maskValue(key, value)}`;
  });
}

/** A value of this key of an entry, in which variables that are secrets are masked. */
export function maskVariables(value: string, of: string, variables: readonly ExpandedVariable[]): string {
  return secretsOf(of, variables).reduce((shown, each) => shown.replaceAll(each.value, mask), value);
}

function secretsOf(of: string, variables: readonly ExpandedVariable[]): readonly ExpandedVariable[] {
  return variables.filter(
    ({ key, text, value }) => key === of && maskValue(`${text} ${key}`, value) === mask,
  );
}

/**
 * Arguments as they are shown before consent: as they will be executed, so that no name of an option hides one. A
 * variable whose value is a secret stays a variable.
 */
export function argumentsAsWritten(
  args: readonly string[],
  variables: readonly ExpandedVariable[],
): readonly string[] {
  return args.map((arg, index) =>
    secretsOf(`args[${index}]`, variables).reduce(
      (shown, { text, value }) => shown.replace(value, () => text),
      arg,
    ),
  );
}

/** An address as it may be shown: passwords and the values of its query are masked. */
export function maskUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const masked = new URL(url);
  if (masked.password !== '') masked.password = mask;
  for (const [name, value] of masked.searchParams) masked.searchParams.set(name, maskValue(name, value));
  return readable(masked.href);
}

/** The address without escapes, where they are valid text. */
function readable(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href.replaceAll(encodeURIComponent(mask), mask);
  }
}
