import { jobMembers, sharedMembers } from './job-members.ts';
import { connectionOf, own } from './parts.ts';

const times = `
  url: String ${own}
  createdAt: DateTime ${own}
  finishedAt: DateTime ${own}
`;

/** Jobs of a build. */
export const jobSchema = /* GraphQL */ `
  union Job = JobTypeBlock | JobTypeCommand | JobTypeTrigger | JobTypeWait

  interface JobInterface {
    ${jobMembers}
  }

  type JobTypeWait implements JobInterface & Node {
    ${sharedMembers}
    step: StepWait
    ${times}
  }

  type JobTypeBlock implements JobInterface & Node {
    ${sharedMembers}
    step: StepInput
    isUnblockable: Boolean
    unblockedAt: DateTime
    unblockedBy: User
    ${times}
  }

  type JobTypeTrigger implements JobInterface & Node {
    ${sharedMembers}
    step: StepTrigger
    async: Boolean!
    triggered: Build
    ${times}
  }

  ${connectionOf('Job')}
`;
