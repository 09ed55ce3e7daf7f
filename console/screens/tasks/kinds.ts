// Platforms, actions and statuses of tasks, with their texts and colors.
import { text, type TextKey } from '../../data/texts.tsx'
import type { TagColor } from '../../parts/text/tags.tsx'

type TaskKinds = Readonly<Record<string, { name: TextKey; color: TagColor }>>

export const TASK_PLATFORMS: TaskKinds = {
  suno: { name: text('Suno'), color: 'green' },
  video: { name: text('Video'), color: 'blue' },
  responses: { name: text('Answers'), color: 'purple' },
}

export const TASK_ACTIONS: TaskKinds = {
  MUSIC: { name: text('Generate music'), color: 'grey' },
  LYRICS: { name: text('Generate lyrics'), color: 'pink' },
  GENERATE: { name: text('Make a video'), color: 'blue' },
  REMIX: { name: text('Remix a video'), color: 'purple' },
  ANSWER: { name: text('Answer in the background'), color: 'purple' },
}

/** Waiting in a queue is no failure, so it is not red. */
export const TASK_STATUSES: TaskKinds = {
  SUCCESS: { name: text('success'), color: 'green' },
  NOT_START: { name: text('not started'), color: 'grey' },
  SUBMITTED: { name: text('queued'), color: 'yellow' },
  IN_PROGRESS: { name: text('in progress'), color: 'blue' },
  FAILURE: { name: text('failure'), color: 'red' },
  QUEUED: { name: text('queuing'), color: 'yellow' },
  UNKNOWN: { name: text('unknown'), color: 'red' },
  '': { name: text('submitting'), color: 'grey' },
}

const UNKNOWN = { name: text('unknown'), color: 'grey' } as const

export const findTaskKind = (known: TaskKinds, name: string): TaskKinds[string] => known[name] ?? UNKNOWN
