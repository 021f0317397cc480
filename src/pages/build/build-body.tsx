import { raw } from 'hono/html';
import { buildParts } from './build-parts.tsx';
import type { BuildView } from './build-view.ts';

/** The page of a build, of parts that can change. */
export const BuildBody = ({ view }: { readonly view: BuildView }) => (
  <>{[...buildParts(view).sections.values()].map((html) => raw(html))}</>
);
