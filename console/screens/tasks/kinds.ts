// Platforms, actions and statuses of tasks, with their texts and colors.
import type { Color } from '../../parts/tags.tsx'
import type { words } from './texts.ts'

type Word = keyof (typeof words)['en']
type Kinds = Readonly<Record<string, { word: Word; color: Color }>>

export const PLATFORMS: Kinds = {
  suno: { word: 'suno', color: 'green' },
  video: { word: 'video', color: 'blue' },
  responses: { word: 'answers', color: 'purple' },
}

export const ACTIONS: Kinds = {
  MUSIC: { word: 'music', color: 'grey' },
  LYRICS: { word: 'lyrics', color: 'pink' },
  GENERATE: { word: 'film', color: 'blue' },
  REMIX: { word: 'remix', color: 'purple' },
  ANSWER: { word: 'answer', color: 'purple' },
}

/** Waiting in a queue is no failure, so it is not red. */
export const STATUSES: Kinds = {
  SUCCESS: { word: 'success', color: 'green' },
  NOT_START: { word: 'notStarted', color: 'grey' },
  SUBMITTED: { word: 'queued', color: 'yellow' },
  IN_PROGRESS: { word: 'inProgress', color: 'blue' },
  FAILURE: { word: 'failure', color: 'red' },
  QUEUED: { word: 'queuing', color: 'yellow' },
  UNKNOWN: { word: 'unknown', color: 'red' },
  '': { word: 'submitting', color: 'grey' },
}

const UNKNOWN = { word: 'unknown', color: 'grey' } as const

export const findKind = (known: Kinds, name: string): Kinds[string] => known[name] ?? UNKNOWN
