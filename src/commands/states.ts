/** Build states (API specification, "States and transitions"), in the order of its filter. */
export const buildStates = [
  'running',
  'scheduled',
  'passed',
  'failing',
  'failed',
  'blocked',
  'canceled',
  'canceling',
  'skipped',
  'not_run',
] as const;
