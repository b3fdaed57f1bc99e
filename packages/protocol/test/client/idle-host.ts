import { connectTo, newest, ScriptedPeer } from './scripted-peer.ts';

// A program that makes a call and has nothing more to do; it does not close its client.
const client = await connectTo(new ScriptedPeer(newest), newest);
await client.callTool('any');
