import { stripVTControlCharacters } from 'node:util';
import { startTimer } from '../../common/clock.ts';
import type { Engine } from '../scheduler/engine.ts';
import { isConnected } from '../domain/remote-agent.ts';
import { Refusal } from '../domain/refusal.ts';
import type { AgentProcess } from './spawn-agent.ts';

/** Milliseconds. */
const longestWait = 30_000;
const pace = 25;

/** The ids of the agents of a process, one where its flags do not say otherwise. Throws `Refusal`. */
export async function untilConnected(
  one: AgentProcess,
  agents: Engine['agents'],
): Promise<string[]> {
  const end = performance.now() + longestWait;
  for (;;) {
    const found = agents.present().filter(({ agent }) => agent.registeredWith === one.tokenId);
    if (found.some(({ agent }) => isConnected(agent))) return found.map(({ agent }) => agent.id);
    if (one.hasEnded()) throw await notStarted(one, `has ended (${await one.ended})`);
    if (performance.now() > end) throw await notStarted(one, 'does not connect');
    await new Promise<void>((resolve) => startTimer(pace, resolve));
  }
}

async function notStarted(one: AgentProcess, how: string): Promise<Refusal> {
  const said = stripVTControlCharacters(await one.lastLine()).trim();
  return new Refusal('invalid', `${one.name} ${how}${said === '' ? '' : `: ${said}`}`);
}
