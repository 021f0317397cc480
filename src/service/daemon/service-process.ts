/** The process of a service, as its state file names it. */
import { isRunning, startOf } from '../running-process.ts';
import type { ServiceState } from '../state.ts';

/** Whether it is there for certain: its id may be that of another process by now. */
export const isSameProcess = ({ pid, processStart }: ServiceState): boolean =>
  processStart !== null && isRunning(pid) && startOf(pid) === processStart;

/** Whether it is there, as far as the system says. */
export const mayBeRunning = (state: ServiceState): boolean =>
  isRunning(state.pid) && (state.processStart === null || isSameProcess(state));
