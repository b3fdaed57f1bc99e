import { connectTo } from './connect.ts';
import { scenarios, usual } from './scenarios.ts';

// The client that the official suite starts: one process for each scenario. Usage: main.ts <server URL>;
// the suite names the scenario, the revision and the scenario's data in its environment variables.

const [url = ''] = process.argv.slice(2);
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const version = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'];
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as { [key: string]: unknown };

const client = await connectTo(url, { scenario, version, context });
try {
  await (scenarios[scenario] ?? usual)(client, context);
} finally {
  await client.close();
}
