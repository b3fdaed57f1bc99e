import type { BridgePage } from './bridge-page.ts';

/** The page in Chromium that shows a view in the official host, beside a server in the test. */
export interface RelayPage {
  bridge: BridgePage['bridge'];
  /** Calls a tool of the server. */
  callServer(name: string, args: object): Promise<object>;
  show(
    html: string,
    hostContext: object,
    call: { readonly input: object; readonly result: object },
  ): Promise<void>;
  readonly document: BridgePage['document'];
}
