// Every played vendor, with a channel that asks it and a submission of its own: what all tests of tasks go through.
import type { PlayedVendor } from '../vendor.ts'
import { playedArk } from './ark.ts'
import { playedDashscope } from './dashscope.ts'
import { JIMENG_KEY, playedJimeng } from './jimeng.ts'
import { KLING_KEY, playedKling } from './kling.ts'
import { playMidjourney } from './midjourney.ts'
import { playedMinimax } from './minimax.ts'
import { playedOpenaiVideos } from './openai-videos.ts'
import { playedRunway } from './runway.ts'
import { playedSuno } from './suno.ts'
import { playedVeo, playedVertexVeo, vertexKey } from './veo.ts'
import { playedVidu } from './vidu.ts'

export interface Played {
  vendor: PlayedVendor
  channel: { type: number; key?: string | ((url: string) => string); other?: string }
  model: string
  /** A submission that it takes; where its id is in the answer, and where it is asked. */
  submit: { path: string; body: object; id(answer: Record<string, unknown>): unknown }
  read(id: string): string
  /** What is posted there, where it is not got. */
  readBy?(id: string): object
  /** It does not say of which task it tells: so none can be told of under another id. */
  unnamed?: true
  /** What it says of a failure, where that is a word of its own. */
  why?: string
}

/** The fields of a channel that asks the played vendor at `url`. */
export const channelOf = ({ channel: { key, ...rest }, model }: Played, url: string) => ({
  ...rest,
  ...(key === undefined ? {} : { key: typeof key === 'function' ? key(url) : key }),
  ...{ base_url: url, models: model },
})

const ARK_PATH = '/api/v3/contents/generations/tasks'

export const PLAYED: readonly Played[] = [
  {
    vendor: playedArk,
    channel: { type: 45 },
    model: 'doubao-seedance-2-0-260128',
    submit: {
      path: ARK_PATH,
      body: { model: 'doubao-seedance-2-0-260128', content: [{ type: 'text', text: 'a ferry' }] },
      id: ({ id }) => id,
    },
    read: (id) => `${ARK_PATH}/${id}`,
  },
  {
    vendor: playedDashscope,
    channel: { type: 17 },
    model: 'wan2.7-t2v',
    submit: {
      path: '/api/v1/services/aigc/video-generation/video-synthesis',
      body: { model: 'wan2.7-t2v', input: { prompt: 'a ferry' } },
      id: ({ output }) => (output as { task_id?: unknown } | undefined)?.task_id,
    },
    read: (id) => `/api/v1/tasks/${id}`,
  },
  {
    vendor: playedJimeng,
    channel: { type: 51, key: `${JIMENG_KEY.id}|${JIMENG_KEY.secret}` },
    model: 'jimeng_t2v_v30',
    submit: {
      path: '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
      body: { req_key: 'jimeng_t2v_v30', prompt: 'a ferry' },
      id: ({ data }) => (data as { task_id?: unknown } | undefined)?.task_id,
    },
    read: () => '/jimeng/?Action=CVSync2AsyncGetResult&Version=2022-08-31',
    readBy: (task_id) => ({ req_key: 'jimeng_t2v_v30', task_id }),
    unnamed: true,
    why: 'Post Img Risk Not Pass',
  },
  {
    vendor: playedKling,
    channel: { type: 50, key: KLING_KEY },
    model: 'kling-v3',
    submit: {
      path: '/kling/v1/videos/text2video',
      body: { model_name: 'kling-v3', prompt: 'a ferry' },
      id: ({ data }) => (data as { task_id?: unknown } | undefined)?.task_id,
    },
    read: (id) => `/kling/v1/videos/text2video/${id}`,
  },
  {
    vendor: playMidjourney(),
    channel: { type: 5, key: 'mj-secret' },
    model: 'mj_imagine',
    submit: { path: '/mj/submit/imagine', body: { prompt: 'a ferry' }, id: ({ result }) => result },
    read: (id) => `/mj/task/${id}/fetch`,
  },
  {
    vendor: playedMinimax,
    channel: { type: 35 },
    model: 'MiniMax-Hailuo-2.3',
    submit: {
      path: '/v1/video_generation',
      body: { model: 'MiniMax-Hailuo-2.3', prompt: 'a ferry' },
      id: ({ task_id }) => task_id,
    },
    read: (id) => `/v1/query/video_generation?task_id=${id}`,
  },
  {
    vendor: { ...playedMinimax, name: 'minimax-h3' },
    channel: { type: 35 },
    model: 'MiniMax-H3',
    submit: {
      path: '/v2/video_generation',
      body: {
        ...{ model: 'MiniMax-H3', content: [{ type: 'text', text: 'a ferry' }] },
        ...{ duration: 5, resolution: '768P', ratio: '16:9' },
      },
      id: ({ task_id }) => task_id,
    },
    read: (id) => `/v2/query/video_generation/${id}`,
  },
  {
    vendor: playedOpenaiVideos,
    channel: { type: 1 },
    model: 'sora-2',
    submit: { path: '/v1/videos', body: { model: 'sora-2', prompt: 'a ferry', seconds: '8' }, id: ({ id }) => id },
    read: (id) => `/v1/videos/${id}`,
  },
  {
    vendor: playedRunway,
    channel: { type: 1015 },
    model: 'gen4.5',
    submit: {
      path: '/v1/text_to_video',
      body: { model: 'gen4.5', promptText: 'a ferry', ratio: '1280:720', duration: 5 },
      id: ({ id }) => id,
    },
    read: (id) => `/v1/tasks/${id}`,
  },
  {
    vendor: playedSuno,
    channel: { type: 36 },
    model: 'suno_music',
    submit: { path: '/suno/submit/music', body: { gpt_description_prompt: 'a ferry' }, id: ({ data }) => data },
    read: (id) => `/suno/fetch/${id}`,
  },
  {
    vendor: playedVeo,
    channel: { type: 24 },
    model: 'veo-3.1-generate-preview',
    submit: {
      path: '/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
      body: { instances: [{ prompt: 'a ferry' }] },
      id: ({ name }) => String(name).split('/').at(-1),
    },
    read: (id) => `/v1beta/models/veo-3.1-generate-preview/operations/${id}`,
  },
  {
    vendor: playedVertexVeo,
    channel: { type: 41, key: vertexKey, other: 'us-central1' },
    model: 'veo-3.1-generate-001',
    submit: {
      path: '/v1beta/models/veo-3.1-generate-001:predictLongRunning',
      body: { instances: [{ prompt: 'a ferry' }] },
      id: ({ name }) => String(name).split('/').at(-1),
    },
    read: (id) => `/v1beta/models/veo-3.1-generate-001/operations/${id}`,
  },
  {
    vendor: playedVidu,
    channel: { type: 52 },
    model: 'viduq3-pro',
    submit: {
      path: '/ent/v2/text2video',
      body: { model: 'viduq3-pro', prompt: 'a ferry' },
      id: ({ task_id }) => task_id,
    },
    read: (id) => `/ent/v2/tasks/${id}/creations`,
    why: 'CreationPolicyViolation',
  },
]
