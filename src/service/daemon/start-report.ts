/**
 * How the service in the background says that it runs, or why it does not: one JSON message to the
 * process that started it. Its log is for people alone.
 */
import { CictlError, toJson, type ErrorKind } from '../../errors.ts';

/** The error has the JSON form that commands print. */
export type StartReport =
  | { readonly url: string; readonly error?: undefined }
  | { readonly url?: undefined; readonly error: ReportedError };

interface ReportedError {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly details: readonly string[];
  readonly hint: string | null;
}

/** Called where the service answers at `url`, be it this process or one that was faster. */
export const reportStarted = (url: string): Promise<void> => send({ url });

export const reportNotStarted = (error: unknown): Promise<void> =>
  send(JSON.parse(toJson(error)) as StartReport);

/** Nothing is sent where nobody waits for it: the flag was typed by hand, or the starter has ended. */
function send(report: StartReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) {
      resolve();
      return;
    }
    process.send(report, undefined, undefined, () => {
      if (process.connected) process.disconnect();
      resolve();
    });
  });
}

/** The error of a report, as it was thrown in the other process. */
export const startError = ({ kind, message, details, hint }: ReportedError): CictlError =>
  new CictlError(kind, message, { details, ...(hint !== null && { hint }) });
