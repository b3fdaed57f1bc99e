/**
 * Which folder may import what, as the single source of the arrows in ARCHITECTURE.md.
 * Each entry is a directory; for each folder or file in it, the other folders and files of the same
 * directory that it may import. A folder which is missing here is an error of the lint configuration;
 * a file which is missing may import anything.
 */
export type Arrows = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const authored = ['input', 'text', 'context.ts', 'backend'];

/** What the folders and files in the `src` of a server may import. All servers follow these rules. */
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
  'skills.ts': [],
  'server.ts': [
    'skills.ts',
    'tools.ts',
    'tools',
    'resources.ts',
    'resources',
    'prompts.ts',
    'prompts',
    ...authored,
  ],
};

/** The tools of some servers name the page that hosts show with their results. */
const shown = {
  ...server,
  'views.ts': [],
  tools: [...server.tools, 'views.ts'],
  'server.ts': [...server['server.ts'], 'views.ts'],
};

/**
 * The filesystem server has a folder `optional` too: for what works only with installed optional packages.
 */
const filesystem = {
  ...shown,
  optional: [],
  'context.ts': ['optional'],
  text: [...shown.text, 'optional'],
  'tools.ts': [...shown['tools.ts'], 'optional'],
  'server.ts': [...shown['server.ts'], 'tools.ts', 'optional'],
};

const sandboxLeaves = [
  'capped-list.ts',
  'compile-regex.ts',
  'counted.ts',
  'errors.ts',
  'display-name.ts',
  'file-kind.ts',
  'first-items.ts',
  'promised-fs.ts',
  'sha256.ts',
  'time-slice.ts',
  'timed-worker.ts',
];

const skillLeaves = [
  'check-entry.ts',
  'digest.ts',
  'entry.ts',
  'extension.ts',
  'frontmatter.ts',
  'limits.ts',
  'skill-uri.ts',
  'text.ts',
];

const hostLeaves = [
  'did-you-mean.ts',
  'errors.ts',
  'group-by.ts',
  'has-skills.ts',
  'json-directory.ts',
  'is-too-deep.ts',
  'matches-name.ts',
  'printed-command.ts',
  'property-schema.ts',
  'read-file.ts',
  'shell-word.ts',
  'shows-views.ts',
  'state-directories.ts',
  'view-of-tool.ts',
];
/** The folders and files in the `src` of the host that both `commands` and `program` may import. */
const hostParts = [
  'doctor',
  'gateway',
  'keep',
  'policy',
  'registry',
  'servers',
  'tasks',
  'login',
  'trust',
  'config',
  'terminal',
  ...hostLeaves,
];

export const arrows: Arrows = {
  'servers/filesystem/src': filesystem,
  'servers/filesystem/view': {
    model: [],
    dom: ['model'],
    'line-reader.ts': ['model'],
    'folder.ts': ['line-reader.ts', 'model'],
    'editor.ts': ['model'],
    'page.ts': ['line-reader.ts', 'folder.ts', 'editor.ts', 'dom', 'model'],
  },
  'servers/git/src': shown,
  'servers/git/view': {
    model: [],
    'sequence.ts': ['model'],
    'patch-reader.ts': ['model'],
    'comparison.ts': ['patch-reader.ts', 'sequence.ts', 'model'],
    dom: ['comparison.ts', 'patch-reader.ts', 'sequence.ts', 'model'],
    'page.ts': ['comparison.ts', 'patch-reader.ts', 'sequence.ts', 'dom', 'model'],
  },
  'servers/sqlite/src': { ...shown, bundle: ['program.ts'] },
  'servers/sqlite/view': {
    model: [],
    dom: ['model'],
    'result-reader.ts': ['model'],
    'writes.ts': ['result-reader.ts', 'dom', 'model'],
    'page.ts': ['writes.ts', 'result-reader.ts', 'dom', 'model'],
  },
  'servers/weather/src': shown,
  'servers/weather/view': {
    model: [],
    dom: ['model'],
    'page.ts': ['dom', 'model'],
  },
  'servers/run/src': server,
  'examples/notes/src': server,
  'packages/sandbox/src': {
    open: sandboxLeaves,
    network: ['open', ...sandboxLeaves],
    access: ['network', 'open', ...sandboxLeaves],
    text: sandboxLeaves,
    diff: sandboxLeaves,
    read: ['access', 'open', 'text', ...sandboxLeaves],
    traverse: ['access', 'open', ...sandboxLeaves],
    list: ['access', 'open', 'read', 'traverse', ...sandboxLeaves],
    keep: ['access', 'open', 'traverse', ...sandboxLeaves],
    replace: ['access', 'network', 'open', 'read', 'keep', ...sandboxLeaves],
    write: ['access', 'open', 'text', 'traverse', 'keep', 'replace', ...sandboxLeaves],
    edit: ['access', 'open', 'text', 'diff', 'read', 'traverse', 'keep', 'replace', ...sandboxLeaves],
    compare: ['access', 'open', 'text', 'diff', 'read', 'traverse', ...sandboxLeaves],
    search: ['access', 'open', 'text', 'traverse', ...sandboxLeaves],
    watch: ['access', ...sandboxLeaves],
    select: ['list', 'write', ...sandboxLeaves],
  },
  'packages/host/src': {
    config: hostLeaves,
    trust: ['config', ...hostLeaves],
    login: ['config', ...hostLeaves],
    servers: ['login', 'trust', 'config', ...hostLeaves],
    policy: ['config', ...hostLeaves],
    gateway: ['policy', 'servers', 'config', ...hostLeaves],
    doctor: ['servers', 'login', 'trust', 'config', ...hostLeaves],
    keep: ['trust', 'config', ...hostLeaves],
    registry: ['config', ...hostLeaves],
    terminal: hostLeaves,
    generate: ['trust', 'config', 'terminal', ...hostLeaves],
    'command-line': ['servers', 'config', 'terminal', ...hostLeaves],
    views: ['command-line', 'servers', 'terminal', 'config', ...hostLeaves],
    recording: ['servers', ...hostLeaves],
    testing: ['views', 'command-line', 'terminal', ...hostLeaves],
    tasks: hostLeaves,
    inspect: ['testing', 'servers', 'tasks', ...hostLeaves],
    commands: ['inspect', 'testing', 'recording', 'generate', 'views', 'command-line', ...hostParts],
    program: ['commands', 'recording', 'views', 'command-line', ...hostParts],
  },
  'packages/host/src/gateway': {
    links: [],
    'gateway-settings.ts': ['task-ids.ts'],
    catalog: ['links', 'gateway-settings.ts', 'gateway-error.ts'],
    calls: ['catalog', 'links', 'gateway-settings.ts', 'gateway-error.ts'],
    clients: ['calls', 'catalog', 'links', 'gateway-settings.ts', 'gateway-error.ts'],
    'gateway.ts': ['clients', 'gateway-settings.ts', 'task-ids.ts'],
  },
  'packages/protocol/src': {
    platform: [],
    jsonrpc: ['platform'],
    schema: ['jsonrpc'],
    define: ['schema', 'jsonrpc'],
    revisions: ['define', 'schema', 'jsonrpc'],
    wraps: ['define', 'jsonrpc'],
    state: ['define', 'platform'],
    telemetry: ['define', 'jsonrpc', 'platform'],
    program: ['http', 'server', 'define', 'state', 'transports', 'jsonrpc', 'platform'],
    transports: ['jsonrpc', 'platform'],
    server: ['revisions', 'define', 'state', 'schema', 'jsonrpc', 'platform'],
    client: ['revisions', 'define', 'schema', 'jsonrpc', 'platform'],
    http: ['server', 'revisions', 'define', 'state', 'schema', 'jsonrpc', 'platform'],
    extensions: ['server', 'revisions', 'define', 'state', 'schema', 'jsonrpc', 'platform'],
  },
  'packages/protocol/src/server': {
    call: [],
    watches: ['call'],
    'runtime.ts': ['watches', 'call', 'access.ts', 'capabilities.ts', 'wrapped.ts'],
    features: ['runtime.ts', 'watches', 'call', 'access.ts', 'wrapped.ts', 'tools-for.ts'],
    proxy: ['runtime.ts', 'call'],
    connection: ['proxy', 'features', 'runtime.ts', 'watches', 'call', 'access.ts'],
    'serve.ts': ['connection', 'runtime.ts', 'call', 'backpressure.ts'],
  },
  'packages/protocol/src/client': {
    results: [],
    host: ['results'],
    connection: ['results', 'call-options.ts'],
    subscriptions: ['connection', 'client-options.ts'],
    'requester.ts': [
      'subscriptions',
      'connection',
      'host',
      'results',
      'call-options.ts',
      'client-error.ts',
      'client-options.ts',
      'log-message.ts',
    ],
    lists: ['requester.ts', 'results', 'call-options.ts'],
    calls: [
      'requester.ts',
      'lists',
      'subscriptions',
      'host',
      'results',
      'call-options.ts',
      'client-error.ts',
    ],
  },
  'packages/protocol/src/http': {
    wire: [],
    adapters: ['wire'],
    discovery: ['wire'],
    client: ['wire'],
    security: ['wire'],
    stateless: ['wire'],
    shares: ['security', 'wire'],
    sessions: ['shares', 'security', 'wire'],
    operation: ['adapters', 'security', 'wire'],
    'legacy-sse': ['shares', 'security', 'wire'],
  },
  'packages/authorization/src': {
    requests: ['authorization-error.ts'],
    discovery: ['requests', 'authorization-error.ts'],
    tokens: ['grant.ts', 'discovery', 'requests', 'authorization-error.ts'],
    store: ['options.ts', 'access.ts', 'tokens', 'requests'],
    login: [
      'grant.ts',
      'store',
      'tokens',
      'discovery',
      'requests',
      'authorization-error.ts',
      'message-of.ts',
    ],
  },
  'packages/skills/src': {
    client: skillLeaves,
    serve: skillLeaves,
  },
  'packages/views/src': {
    serve: ['extension.ts'],
    model: [],
    browser: ['model'],
    dom: ['model'],
  },
  'packages/verifiers/src': {
    requests: [],
    tokens: ['keys'],
    keys: ['requests'],
    introspection: ['requests', 'tokens'],
    dpop: ['tokens'],
    'options.ts': ['tokens'],
    'verifier.ts': ['options.ts', 'dpop', 'tokens'],
  },
  'packages/openapi/src': {
    document: [],
    schemas: ['document'],
    'options.ts': ['document'],
    plan: ['options.ts', 'schemas', 'document'],
    request: ['plan', 'options.ts', 'document'],
    secrets: ['options.ts', 'document'],
    'call-api.ts': ['request', 'secrets', 'plan', 'options.ts', 'document'],
  },
  'packages/login/src': {
    store: [],
    limits: [],
    passphrase: ['store'],
    clients: ['store'],
    grants: ['store'],
    page: ['clients'],
    endpoints: ['page', 'clients', 'grants', 'limits', 'passphrase', 'store'],
    program: ['passphrase-login.ts'],
  },
  'packages/protocol/src/extensions': {
    tasks: [],
  },
};

/** In these folders, each file has one tool, resource or prompt, and imports no other file of the folder. */
export const separateFiles = ['tools', 'resources', 'prompts'];
