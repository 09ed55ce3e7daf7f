// Every played vendor, with a channel that asks it and a submission of its own: what all tests of tasks go through.
import type { PlayedVendor } from '../vendor.ts'
import { playedOpenaiVideos } from './openai-videos.ts'
import { playedSuno } from './suno.ts'

export interface Played {
  vendor: PlayedVendor
  channel: { type: number; key?: string; other?: string }
  model: string
  /** A submission that it takes; where its id is in the answer, and where it is asked. */
  submit: { path: string; body: object; id(answer: Record<string, unknown>): unknown }
  read(id: string): string
}

export const PLAYED: readonly Played[] = [
  {
    vendor: playedOpenaiVideos,
    channel: { type: 1 },
    model: 'sora-2',
    submit: { path: '/v1/videos', body: { model: 'sora-2', prompt: 'a ferry', seconds: '8' }, id: ({ id }) => id },
    read: (id) => `/v1/videos/${id}`,
  },
  {
    vendor: playedSuno,
    channel: { type: 36 },
    model: 'suno_music',
    submit: { path: '/suno/submit/music', body: { gpt_description_prompt: 'a ferry' }, id: ({ data }) => data },
    read: (id) => `/suno/fetch/${id}`,
  },
]
