import { estimateTokens } from './estimate-tokens.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, warning } = findingsOf('capabilities');

const maxInstructionTokens = 2_000;

/** The declarations of a server: its name, capabilities and instructions for models. */
export function checkCapabilities({ client }: Session): Finding[] {
  const { capabilities, serverInfo, instructions, protocolVersion } = client;
  const names = Object.keys(capabilities);
  const called = serverInfo ? `${serverInfo.name} ${serverInfo.version}` : 'without a name';
  const findings = [
    ok(`${called}, ${protocolVersion}: ${names.length > 0 ? names.join(', ') : 'no capabilities'}`, {
      capabilities,
      serverInfo,
      protocolVersion,
    }),
  ];
  if (instructions === undefined) return findings;
  const tokens = estimateTokens(instructions);
  const message = `instructions of about ${tokens} tokens`;
  const data = { instructionsBytes: Buffer.byteLength(instructions), instructionsTokens: tokens };
  findings.push(
    tokens > maxInstructionTokens
      ? warning(`${message}, which every conversation carries`, data)
      : ok(message, data),
  );
  return findings;
}
