import { corpus } from '../../log/corpus.ts';
import { hostileTexts } from './hostile-texts.ts';
import { createEmptyScene, type Scene } from './scene.ts';

const texts = Object.values(hostileTexts);
const builds = '/v2/organizations/local/pipelines/hostile/builds';

/** A scene in which everything with a name is hostile: a build per text, a job per hostile log. */
export async function createHostileScene(): Promise<Scene> {
  const scene = await createEmptyScene({ logs: corpus });
  await scene.pipeline('hostile', fileOf());
  for (const text of texts) await addBuild(scene, text);
  await scene.act();
  await scene.pipeline('logs', JSON.stringify({ steps: Object.keys(corpus).map(jobOf) }));
  await scene.build('logs');
  await scene.act();
  return scene;
}

/** All kinds of steps, named by the text of their build. */
function fileOf(): string {
  const [label, env] = ['$TEXT', { LOG: '$TEXT', TAKES: '3' }];
  const fields = [
    { text: label, key: 'text', hint: label, default: label },
    { select: label, key: 'select', hint: label, options: [{ label, value: 'x' }] },
  ];
  const steps = [
    { label, key: 'job', command: `echo ${label}`, env },
    {
      group: label,
      key: 'group',
      steps: [{ label, command: `echo ${label}`, parallelism: 2, env }],
    },
    { label: '{{matrix}}', command: 'x', matrix: texts.slice(0, 2), env },
    { label, command: `echo ${label}`, env: { ...env, EXIT: '1' }, soft_fail: true },
    'wait',
    { block: label, key: 'gate', prompt: label, fields },
    { label, command: `echo ${label}` },
  ];
  return JSON.stringify({ steps });
}

async function addBuild(scene: Scene, text: string): Promise<void> {
  const number = await scene.build('hostile', {
    message: text,
    branch: text,
    commit: text,
    author: { name: text, email: text },
    env: { TEXT: text },
    meta_data: { [text]: text },
  });
  const annotation = { body: text, context: Array.from(text).slice(0, 50).join('') };
  await scene.api.send('POST', `${builds}/${number}/annotations`, annotation);
}

const jobOf = (name: string, index: number): object => ({
  label: name,
  key: `log-${index}`,
  command: 'x',
  env: { LOG: name },
});
