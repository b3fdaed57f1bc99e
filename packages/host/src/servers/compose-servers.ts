import type { ConfiguredServer } from '../config/load.ts';
import { authorizeWith, type LoginOptions } from '../login/authorize.ts';
import type { HostState } from './host-state.ts';
import { Servers, type ServersOptions } from './servers.ts';
import { withheldChangesText } from './withheld-text.ts';

/**
 * How a host answers its servers. Without an answer, a server that needs consent, a login or an input
 * rejects.
 */
export interface HostAnswers extends Partial<
  Pick<
    ServersOptions,
    'askConsent' | 'askInput' | 'clientOptions' | 'failed' | 'signal' | 'stderr' | 'toolsWithheld'
  >
> {
  /** Called with problems that stop nothing. */
  readonly warn: (message: string) => void;
  /** Shows the user the page of a login. */
  readonly open?: LoginOptions['open'];
}

/**
 * The servers of a configuration, with the state and the answers of a host; none is started before it is
 * used.
 */
export function composeServers(
  configured: readonly ConfiguredServer[],
  { trust, listCache, store, verdicts }: HostState,
  {
    warn,
    open,
    signal,
    askConsent = () => Promise.resolve(false),
    askInput = () => undefined,
    stderr = () => {},
    failed,
    toolsWithheld = (server, changes) => warn(withheldChangesText(server, changes)),
    clientOptions,
  }: HostAnswers,
): Servers {
  return new Servers(configured, {
    trust,
    listCache,
    authorize: authorizeWith({ store, open, warn }),
    signal,
    askConsent,
    askInput,
    stderr,
    failed,
    toolsWithheld,
    clientOptions: (entry) => ({ verdicts, ...clientOptions?.(entry) }),
  });
}
