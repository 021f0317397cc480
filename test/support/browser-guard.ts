/** Listens to all pages of a browser for things that our pages never do. */
import type { BrowserContext, ConsoleMessage, Request } from 'playwright-core';

export interface PageGuard {
  /** Returns the problems since the last call. */
  take(): string[];
  /** From now on, pages may only send requests to this origin. */
  belongsTo(base: string): void;
  /** Matching events are not problems. */
  allow(what: RegExp): void;
}

export function watchPages(context: BrowserContext): PageGuard {
  const problems: string[] = [];
  const allowed: RegExp[] = [];
  const origins = new Set<string>();
  const add = (problem: string): void => {
    if (!allowed.some((one) => one.test(problem))) problems.push(problem);
  };

  context.on('request', (request) => {
    if (!origins.has(originOf(request))) add(`asks ${request.url()}`);
  });
  context.on('console', (message) => {
    if (isProblem(message)) add(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => add(`throws: ${error.error().message}`));
  context.on('dialog', (dialog) => {
    add(`asks a person: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return {
    take: () => problems.splice(0),
    belongsTo: (base) => void origins.add(new URL(base).origin),
    allow: (what) => void allowed.push(what),
  };
}

const originOf = (request: Request): string => new URL(request.url()).origin;

/** Policy violations also appear as errors on the console. */
const isProblem = (message: ConsoleMessage): boolean =>
  ['error', 'warning', 'assert'].includes(message.type());
