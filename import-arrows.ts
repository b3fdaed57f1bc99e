/**
 * Which folder may import what, as the single source of the arrows in ARCHITECTURE.md.
 * Each entry is a directory; for each folder or file in it, the other folders and files of the same
 * directory that it may import. A folder which is missing here is an error of the lint configuration;
 * a file which is missing may import anything.
 */
export type Arrows = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const authored = ['input', 'text', 'context.ts', 'backend'];

/** The same for every server. */
const server = {
  backend: [],
  'context.ts': ['backend'],
  text: ['context.ts', 'backend'],
  input: ['text', 'context.ts', 'backend'],
  tools: authored,
  resources: authored,
  prompts: authored,
  'tools.ts': ['tools', 'input'],
  'resources.ts': ['resources'],
  'prompts.ts': ['prompts'],
  'server.ts': ['tools.ts', 'tools', 'resources.ts', 'resources', 'prompts.ts', 'prompts', ...authored],
};

const filesystemLeaves = [
  'capped-list.ts',
  'compile-regex.ts',
  'errors.ts',
  'display-name.ts',
  'file-kind.ts',
  'keyed-queue.ts',
  'likeness.ts',
  'name-likeness.ts',
  'sha256.ts',
  'time-slice.ts',
  'timed-worker.ts',
];
const gitLeaves = [
  'command.ts',
  'display-name.ts',
  'errors.ts',
  'likeness.ts',
  'keyed-queue.ts',
  'missing.ts',
  'progress.ts',
  'read-small-file.ts',
];
const sqliteLeaves = ['commit-stamp.ts', 'errors.ts', 'exact-json.ts', 'piece-sink.ts', 'regular-file.ts'];

const hostLeaves = [
  'errors.ts',
  'group-by.ts',
  'json-directory.ts',
  'nesting.ts',
  'printed-command.ts',
  'read-file.ts',
  'shell-word.ts',
  'state-directories.ts',
];
/** The rooms of the host that commands are made of. */
const hostRooms = ['doctor', 'gateway', 'servers', 'login', 'trust', 'config', 'terminal', ...hostLeaves];

export const arrows: Arrows = {
  'servers/filesystem/src': server,
  'servers/filesystem/src/backend': {
    access: filesystemLeaves,
    text: filesystemLeaves,
    read: ['access', 'text', ...filesystemLeaves],
    traverse: ['access', ...filesystemLeaves],
    list: ['access', 'read', 'traverse', ...filesystemLeaves],
    write: ['access', 'text', 'read', 'traverse', ...filesystemLeaves],
    edit: ['access', 'text', 'read', 'traverse', 'write', ...filesystemLeaves],
    compare: ['access', 'text', 'read', 'traverse', 'edit', ...filesystemLeaves],
    search: ['access', 'text', 'traverse', ...filesystemLeaves],
    watch: ['access', ...filesystemLeaves],
  },
  'servers/git/src': server,
  'servers/git/src/backend': {
    process: gitLeaves,
    access: ['process', ...gitLeaves],
    'repository.ts': ['access', 'process', ...gitLeaves],
    commands: gitLeaves,
    queries: ['repository.ts', 'access', 'commands', ...gitLeaves],
    watch: ['repository.ts', 'queries', 'commands', ...gitLeaves],
    'repositories.ts': ['repository.ts', 'watch', 'access', 'process', ...gitLeaves],
    actions: ['repositories.ts', 'repository.ts', 'queries', 'commands', 'access', 'process', ...gitLeaves],
  },
  'servers/sqlite/src': server,
  'servers/sqlite/src/backend': {
    values: ['errors.ts'],
    sql: ['values', 'errors.ts'],
    records: sqliteLeaves,
    engine: ['records', 'sql', 'values', ...sqliteLeaves],
    worker: ['engine', 'worker-protocol.ts', ...sqliteLeaves],
    pool: ['worker-protocol.ts', ...sqliteLeaves],
    'database.ts': ['pool', 'worker', 'worker-protocol.ts', ...sqliteLeaves],
    watch: ['database.ts', ...sqliteLeaves],
  },
  'servers/weather/src': server,
  'examples/notes/src': server,
  'packages/host/src': {
    config: hostLeaves,
    trust: ['config', ...hostLeaves],
    login: ['config', ...hostLeaves],
    servers: ['login', 'trust', 'config', ...hostLeaves],
    gateway: ['servers', 'config', ...hostLeaves],
    doctor: ['servers', 'login', 'trust', 'config', ...hostLeaves],
    terminal: hostLeaves,
    'command-line': ['servers', 'config', 'terminal', ...hostLeaves],
    views: ['command-line', 'servers', 'terminal', 'config', ...hostLeaves],
    commands: ['views', 'command-line', ...hostRooms],
    program: ['commands', 'views', 'command-line', ...hostRooms],
  },
  'packages/host/src/gateway': {
    links: [],
    'gateway-parts.ts': ['links', 'task-ids.ts'],
    catalog: ['links', 'gateway-parts.ts', 'gateway-error.ts'],
    calls: ['catalog', 'links', 'gateway-parts.ts', 'gateway-error.ts'],
    clients: ['calls', 'catalog', 'links', 'gateway-parts.ts', 'gateway-error.ts'],
    'gateway.ts': ['clients', 'links', 'gateway-parts.ts', 'task-ids.ts'],
  },
  'packages/protocol/src': {
    platform: [],
    jsonrpc: ['platform'],
    schema: [],
    define: ['schema', 'jsonrpc'],
    revisions: ['define', 'schema', 'jsonrpc'],
    transports: ['jsonrpc'],
    server: ['revisions', 'define', 'schema', 'jsonrpc', 'platform'],
    client: ['revisions', 'define', 'schema', 'jsonrpc', 'platform'],
    http: ['server', 'revisions', 'define', 'schema', 'jsonrpc', 'platform'],
    extensions: ['server', 'revisions', 'define', 'schema', 'jsonrpc', 'platform'],
    authorization: ['http', 'jsonrpc'],
  },
  'packages/protocol/src/server': {
    call: [],
    watches: ['call'],
    'runtime.ts': ['watches', 'call', 'capabilities.ts'],
    features: ['runtime.ts', 'watches', 'call', 'with-deadline.ts'],
    proxy: ['runtime.ts', 'call'],
    connection: ['proxy', 'features', 'runtime.ts', 'watches', 'call', 'with-deadline.ts'],
    'serve.ts': ['connection', 'runtime.ts', 'call', 'with-deadline.ts', 'backpressure.ts'],
  },
  'packages/protocol/src/client': {
    errors: [],
    results: [],
    host: ['results'],
    requests: ['results'],
    handshake: ['results'],
    connection: ['handshake', 'requests', 'results'],
    subscriptions: ['connection', 'requests'],
    tasks: ['calls', 'subscriptions', 'requests', 'results'],
    calls: [
      'subscriptions',
      'connection',
      'handshake',
      'requests',
      'host',
      'results',
      'errors',
      'callbacks.ts',
      'client-options.ts',
      'log-message.ts',
    ],
    lists: ['calls', 'tool-calls', 'requests', 'results'],
    'tool-calls': ['lists', 'tasks', 'calls', 'requests', 'results', 'errors'],
  },
  'packages/protocol/src/http': {
    wire: [],
    adapters: ['wire'],
    client: ['wire'],
    security: ['wire'],
    stateless: ['wire'],
    shares: ['security', 'wire'],
    sessions: ['shares', 'security', 'wire'],
    'legacy-sse': ['shares', 'security', 'wire'],
  },
  'packages/protocol/src/authorization': {
    requests: ['authorization-error.ts'],
    keys: ['requests'],
    discovery: ['requests', 'authorization-error.ts'],
    client: ['discovery', 'keys', 'authorization-error.ts'],
    tokens: ['client', 'discovery', 'keys', 'requests', 'authorization-error.ts'],
    store: ['options.ts', 'access.ts', 'tokens', 'keys', 'requests'],
    login: ['grant.ts', 'store', 'client', 'discovery', 'keys', 'requests', 'authorization-error.ts'],
    grants: [
      'grant.ts',
      'login',
      'store',
      'tokens',
      'client',
      'discovery',
      'keys',
      'requests',
      'authorization-error.ts',
    ],
  },
  'packages/protocol/src/extensions': {
    tasks: [],
  },
};

/** Folders whose files import none of each other: one definition each. */
export const separateFiles = ['tools', 'resources', 'prompts'];
