import manifest from '../package.json' with { type: 'json' };

const [first, ...others] = process.argv.slice(2);
if (first === '--version' && others.length === 0) {
  process.stdout.write(`mcp ${manifest.version}\n`);
} else {
  void import('./program/run-command-line.ts').then(async ({ runCommandLine }) => {
    process.exitCode = await runCommandLine(process.argv.slice(2), manifest.version);
  });
}
