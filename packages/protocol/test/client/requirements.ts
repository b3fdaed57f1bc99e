import { versions } from '../../src/revisions/table.ts';

/** One thing that the specification requires of a client alone. */
export interface ClientRequirement {
  readonly id: string;
  /** The revisions that require it. */
  readonly revisions: readonly string[];
  /** Why no test in this folder shows it. */
  readonly untested?: string;
}

const always = versions.toReversed();
const since = (version: string) => always.filter((other) => other >= version);
const until = (version: string) => always.filter((other) => other <= version);
const between = (first: string, last: string) => since(first).filter((other) => other <= last);

const stateless = ['2026-07-28'];
const handshakes = until('2025-11-25');
const sessions = between('2025-03-26', '2025-11-25');
const http = since('2025-03-26');

const host =
  'Binds the program around the client: what it displays, stores and lets its user decide. The client passes it the data';
const authorization = 'The tests of @mcp/authorization and the official suite show it';

type Row = readonly [id: string, revisions: readonly string[], untested?: string];

const rows: readonly Row[] = [
  ['RPC-05', stateless],
  ['RPC-15', ['2025-03-26']],
  ['RPC-16', since('2025-06-18')],
  ['RPC-19', stateless],
  ['RPC-20', stateless],
  ['RPC-33', stateless],
  ['STATE-04', stateless],
  ['LIFE-02', handshakes],
  ['LIFE-04', handshakes],
  ['LIFE-05', handshakes],
  ['LIFE-07', handshakes],
  ['LIFE-11', handshakes],
  ['LIFE-14', handshakes],
  ['LIFE-24', always],
  ['ERA-01', stateless],
  ['ERA-06', stateless],
  ['ERA-12', stateless],
  ['ERA-13', stateless],
  ['ERA-14', stateless],
  ['ERA-15', stateless],
  ['ERA-16', stateless],
  ['ERA-25', stateless],
  ['STDIO-03', always],
  ['STDIO-05', since('2025-11-25')],
  ['STDIO-07', stateless],
  ['STDIO-08', stateless],
  ['STDIO-11', stateless],
  ['STDIO-13', always],
  ['STDIO-14', stateless],
  ['STDIO-16', handshakes],
  ['HTTPL-06', sessions],
  ['HTTPL-07', ['2025-03-26']],
  ['HTTPL-08', between('2025-06-18', '2025-11-25')],
  ['HTTPL-12', sessions],
  ['HTTPL-20', ['2025-11-25']],
  ['HTTPL-21', sessions],
  ['HTTPL-29', sessions],
  ['HTTPL-32', sessions],
  ['HTTPL-35', sessions],
  ['HTTPL-36', sessions],
  ['HTTPL-37', between('2025-06-18', '2025-11-25')],
  ['HTTPL-40', sessions],
  ['HTTPL-41', sessions],
  ['HTTPM-02', stateless],
  ['HTTPM-03', stateless],
  ['HTTPM-22', stateless],
  ['HTTPM-28', stateless],
  ['HTTPM-30', stateless],
  ['XHDR-12', stateless],
  ['XHDR-13', stateless],
  ['SSE-03', ['2024-11-05']],
  ['SSE-08', http],
  ['CANC-02', stateless],
  ['CANC-03', handshakes],
  ['CANC-14', stateless],
  ['PROG-02', always],
  ['PROG-10', stateless],
  ['PAGE-03', always],
  ['PAGE-04', always],
  ['PAGE-05', always],
  ['COMP-05', always, host],
  ['TOOL-14', since('2025-06-18')],
  ['TOOL-22', always, host],
  ['TOOL-23', http, host],
  ['TOOL-24', since('2025-11-25'), host],
  ['TOOL-27', stateless, host],
  ['RES-09', stateless],
  ['PROM-06', always],
  ['ROOT-01', always],
  ['ROOT-02', always],
  ['ROOT-03', always, host],
  ['ROOT-05', handshakes],
  ['ROOT-08', always, host],
  ['SAMP-01', always],
  ['SAMP-08', stateless, host],
  ['SAMP-09', handshakes],
  ['SAMP-10', since('2025-11-25')],
  ['ELIC-01', since('2025-06-18')],
  ['ELIC-06', since('2025-11-25')],
  ['ELIC-08', ['2025-11-25']],
  ['ELIC-11', ['2025-11-25']],
  ['ELIC-17', since('2025-11-25'), host],
  ['MRTR-14', stateless],
  ['MRTR-15', stateless],
  ['MRTR-16', stateless],
  ['SUB-06', stateless],
  ['SUB-08', stateless],
  ['SUB-11', stateless],
  ['DISC-04', stateless],
  ['CACHE-05', stateless],
  ['CACHE-06', stateless],
  ['CACHE-07', stateless],
  [
    'CACHE-08',
    stateless,
    'The client does not poll: a stale list is read again with the next call of its method',
  ],
  ['ICON-01', since('2025-11-25'), host],
  ['ICON-02', since('2025-11-25'), host],
  [
    'TASK-13',
    ['2025-11-25'],
    'Binds clients that use the experimental tasks of 2025-11-25, which this client does not declare',
  ],
  ['TASKX-11', stateless],
  ['AUTH-13', http, authorization],
  ['AUTH-14', since('2025-06-18'), authorization],
  ['AUTH-15', since('2025-11-25'), authorization],
  ['AUTH-16', stateless, authorization],
  ['SEC-05', since('2025-11-25'), `${host}; the tests of @mcp/authorization show how it opens pages`],
];

export const clientRequirements: readonly ClientRequirement[] = rows.map(([id, revisions, untested]) => ({
  id,
  revisions,
  ...(untested !== undefined && { untested }),
}));
