/** The parts of `kill-while-working.js` that tests call. */
interface Options {
  readonly folder: string;
  readonly kills: number;
  readonly jobs: number;
  readonly agents: number;
  readonly isReal?: boolean;
  readonly pace?: number;
  readonly seconds?: number;
}

export function killWhileWorking(
  options: Options,
): Promise<{ readonly kills: number; readonly seconds: number; readonly wrong: string[] }>;
