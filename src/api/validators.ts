/** What a response must be before it is used. */
import { bounded } from '../http/network-error-text.ts';
import { stringifyJson } from './json.ts';
import { checkIdentity, checkResource, typeName } from './resources/check.ts';
import type { Resource } from './resources/resource.ts';

/** Says what is wrong with a decoded object, as a sentence; undefined where nothing is. */
export type Validate = (response: Record<string, unknown>) => string | undefined;

/** Every member is of its type: for callers that read members. */
export const readable =
  (resource: Resource): Validate =>
  (response) =>
    checkResource(resource, response);

/** The same, where these members have to be there. */
export const complete =
  (resource: Resource, names: readonly string[]): Validate =>
  (response) => {
    const missing = names.find((name) => response[name] === undefined || response[name] === null);
    if (missing === undefined) return checkResource(resource, response);
    return `${missing} is ${typeName(response[missing])}`;
  };

/** Any object: for what is only passed on unchanged. */
export const asItCame: Validate = () => undefined;

/**
 * That resource and no other object, whatever else its members are: a change is done even where a
 * member of the response is odd, but not because a sign-in page has an object too.
 */
export const identified =
  (resource: Resource): Validate =>
  (response) =>
    checkIdentity(resource, response);

/** The build of that number, where the response has a number. */
export const numbered =
  (number: number): Validate =>
  ({ number: sent }) =>
    sent === undefined || sent === null || sent === number
      ? undefined
      : `the answer is build ${bounded(stringifyJson(sent), 80)}`;

/** The first of several that finds something. */
export const both =
  (...validations: readonly Validate[]): Validate =>
  (response) => {
    for (const validate of validations) {
      const error = validate(response);
      if (error !== undefined) return error;
    }
    return undefined;
  };

/**
 * `env`, with the names of variables and texts, or null, as their values, which are not repeated.
 */
export const environment: Validate = ({ env }) => {
  if (typeof env !== 'object' || env === null || Array.isArray(env)) {
    return `env is ${typeName(env)} instead of an object`;
  }
  const entries: [string, unknown][] = Object.entries(env);
  const wrong = entries.find(([, value]) => value !== null && typeof value !== 'string');
  if (wrong === undefined) return undefined;
  const [name, value] = wrong;
  return `env.${bounded(name, 80)} is ${typeName(value)} instead of a string`;
};
