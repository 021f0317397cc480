import type { Annotation } from '../../domain/records.ts';
import { iso } from './scalars.ts';

/** Specification, "Annotation". */
export const presentAnnotation = (annotation: Annotation): object => ({
  id: annotation.id,
  context: annotation.context,
  style: annotation.style,
  scope: annotation.jobId === undefined ? 'build' : 'job',
  ...(annotation.jobId !== undefined && { job_id: annotation.jobId }),
  priority: annotation.priority,
  body_html: annotation.html,
  created_at: iso(annotation.createdAt),
  updated_at: iso(annotation.updatedAt),
});
