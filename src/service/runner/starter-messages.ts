/** What the service and the program that starts its processes say to each other. */
import type { Exit, Wanted } from './start-process.ts';

export interface StartRequest {
  readonly id: number;
  /** `output` is that of the service. */
  readonly wanted: Wanted;
}

/** Of one request: first how it began, then how it ended. */
export type StarterReply = { readonly id: number } & (
  | { readonly started: number }
  | { readonly ended: Exit }
  | { readonly failed: { readonly message: string; readonly code?: string | undefined } }
);
