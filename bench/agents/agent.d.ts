/** The parts of `agent.js` that tests call. */
interface AgentOptions {
  readonly endpoint: string;
  readonly token: string;
  readonly name: string;
  readonly tags?: readonly string[];
  readonly pace?: number;
  readonly skew?: number;
  readonly report?: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

interface SimulatedAgent {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  kill(): Promise<void>;
  disconnect(): Promise<void>;
}

export function startAgent(options: AgentOptions): Promise<SimulatedAgent>;
