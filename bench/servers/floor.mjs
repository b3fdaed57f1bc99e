// The minimal server: parses a line, reads the id and the text, writes a line.
let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  let out = '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'floor', version: '1.0.0' },
          }
        : { content: [{ type: 'text', text: params.arguments.text }] };
    out += `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
  }
  process.stdout.write(out);
});
