/** Who or what ended a job, as agents name it; `agent_lost`: the agent was not heard of any more. */
export type SignalReason = (typeof signalReasons)[number];

export const signalReasons = [
  ...(['cancel', 'agent_stop', 'agent_refused', 'agent_lost'] as const),
  ...(['agent_incompatible', 'process_run_error', 'signature_rejected', 'stack_error'] as const),
];
