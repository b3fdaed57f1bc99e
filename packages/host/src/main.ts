import manifest from '../package.json' with { type: 'json' };

process.stdout.write(`mcp ${manifest.version}\n`);
