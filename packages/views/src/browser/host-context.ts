import type { ListedTool } from '@mcp/protocol/client';

export type Theme = 'light' | 'dark';
export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

/** What a host tells a view about its surroundings. A host may omit each part, and add others. */
export type HostContext = {
  /** The tool whose call shows the view, and the id of the call. */
  readonly toolInfo?: { readonly id?: string | number; readonly tool: ListedTool };
  readonly theme?: Theme;
  /** CSS variables by name, such as `--color-text-primary`, and rules that load fonts. */
  readonly styles?: {
    readonly variables?: { readonly [name: string]: string | undefined };
    readonly css?: { readonly fonts?: string };
  };
  readonly displayMode?: DisplayMode;
  readonly availableDisplayModes?: readonly DisplayMode[];
  /** In CSS pixels: a side is fixed (`height`), or the view chooses it up to a maximum (`maxHeight`). */
  readonly containerDimensions?: {
    readonly height?: number;
    readonly maxHeight?: number;
    readonly width?: number;
    readonly maxWidth?: number;
  };
  /** A BCP 47 tag, such as `de-AT`. */
  readonly locale?: string;
  /** An IANA name, such as `Europe/Vienna`. */
  readonly timeZone?: string;
  readonly userAgent?: string;
  readonly platform?: 'web' | 'desktop' | 'mobile';
  readonly deviceCapabilities?: { readonly touch?: boolean; readonly hover?: boolean };
  /** The sides of the screen that something covers, in CSS pixels. */
  readonly safeAreaInsets?: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
  readonly [more: string]: unknown;
};
