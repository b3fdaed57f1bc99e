import type { HostContext, Theme } from '@mcp/views/browser';

/** The looks of the page by the names that views know. */
const variables = {
  '--color-background-primary': '--raised',
  '--color-background-secondary': '--ground',
  '--color-background-tertiary': '--sunken',
  '--color-background-info': '--accent-soft',
  '--color-background-danger': '--bad-soft',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--soft',
  '--color-text-info': '--accent',
  '--color-text-danger': '--bad',
  '--color-text-success': '--good',
  '--color-border-primary': '--line',
  '--color-ring-primary': '--accent',
  '--font-mono': '--mono',
} as const;

/** Maximum height of a view in the page, in pixels. */
export const maxHeight = 720;

export function systemTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** What the page tells each view about its surroundings. */
export function surroundings(): HostContext {
  const own = getComputedStyle(document.documentElement);
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    styles: {
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, source]) => [name, own.getPropertyValue(source).trim()]),
      ),
    },
    locale,
    timeZone,
    userAgent: 'mcp inspect',
    platform: 'web',
    deviceCapabilities: {
      touch: matchMedia('(any-pointer: coarse)').matches,
      hover: matchMedia('(any-hover: hover)').matches,
    },
  };
}

/** The arguments as a model writes them, one after the other: each text is there in part at first. */
export function partialInputs(args: { readonly [name: string]: unknown }): readonly object[] {
  const entries = Object.entries(args);
  return entries.map(([name, value], index) => ({
    ...Object.fromEntries(entries.slice(0, index)),
    [name]: typeof value === 'string' ? value.slice(0, Math.ceil(value.length / 2)) : value,
  }));
}
