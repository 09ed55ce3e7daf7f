// Recorded answers other than chat, with their clients: their bytes pass through, and prompts are counted by the
// provider.
import {
  anthropicMessages,
  geminiBatchEmbedContents,
  geminiEmbedContent,
  geminiGenerate,
  openaiEmbeddings,
  openaiImageEdits,
  openaiImages,
  openaiModerations,
  openaiTranscriptions,
  rerank,
} from '../../core/index.ts'
import type { CallerDialect } from '../../core/dialects/dialect.ts'
import { findProvider } from '../../core/providers/index.ts'
import { listEndpoints, type UpstreamEndpoint } from '../../core/providers/provider.ts'
import { allRecordings } from '../support/at-hand.ts'
import type { Recording } from '../support/recordings.ts'
import { bodyOf, modelOf } from '../support/replay.ts'
import { COMPATIBLE, nameOf, typeOf, type Place } from './channels.ts'

export interface Beside {
  recording: Recording
  place: Place
  path: string
  headers: Record<string, string>
  body: string | FormData
  /** What is compared of the answer: all of its text, or the one number that was asked for. */
  compared(text: string): unknown
}

interface Api {
  dialect: CallerDialect
  path(model: string): string
  plain: object
  counts?: string
}

const at = (path: string) => () => path

const APIS: Readonly<Record<string, Api>> = {
  'openai.embeddings': { dialect: openaiEmbeddings, path: at('/v1/embeddings'), plain: { input: 'Hello' } },
  'openai.moderations': { dialect: openaiModerations, path: at('/v1/moderations'), plain: { input: 'Hello' } },
  'openai.images': { dialect: openaiImages, path: at('/v1/images/generations'), plain: { prompt: 'A cat' } },
  'openai.audio': { dialect: openaiTranscriptions, path: at('/v1/audio/transcriptions'), plain: {} },
  rerank: { dialect: rerank, path: at('/v1/rerank'), plain: { query: 'Hello', documents: ['Hello'] } },
  'anthropic.count_tokens': {
    dialect: anthropicMessages,
    path: at('/v1/messages/count_tokens'),
    plain: {},
    counts: 'input_tokens',
  },
  'google.countTokens': {
    dialect: geminiGenerate,
    path: (model) => `/v1beta/models/${model}:countTokens`,
    plain: {},
    counts: 'totalTokens',
  },
}
const EMBED: Api = {
  dialect: geminiEmbedContent,
  path: (model) => `/v1beta/models/${model}:embedContent`,
  plain: { content: { parts: [{ text: 'Hello' }] } },
}
const BATCH: Api = {
  dialect: geminiBatchEmbedContents,
  path: (model) => `/v1beta/models/${model}:batchEmbedContents`,
  plain: { requests: [EMBED.plain] },
}
const EDITS: Api = { ...APIS['openai.images']!, dialect: openaiImageEdits, path: at('/v1/images/edits') }

/** Speech that comes inside JSON is of another format. */
const apiOf = ({ id, api, request }: Recording): Api | undefined => {
  if (api === 'openai.audio' && id.startsWith('speech')) return undefined
  if (api === 'google.embeddings') return request?.path.includes(':batch') ? BATCH : EMBED
  return api === 'openai.images' && request?.path.includes('edit') ? EDITS : APIS[api]
}

/** The provider's own type where it is asked there, else one that is. */
function placeOf(recording: Recording, { dialect, counts }: Api): Place {
  const asks = (type: number): boolean => {
    const provider = findProvider(type)
    const doors: (UpstreamEndpoint | undefined)[] = counts
      ? [provider?.count]
      : provider
        ? [...listEndpoints(provider, dialect)]
        : []
    return doors.some((door) => door?.dialect === dialect)
  }
  const own = typeOf(recording.provider)
  return { type: [own, COMPATIBLE, 14, 24].find(asks) ?? COMPATIBLE, model: modelOf(recording) }
}

/** A second of silence: 8000 samples of a byte each. */
function silence(): Buffer {
  const wave = Buffer.alloc(44 + 8000, 128)
  const head: [number, number][] = [
    [16, 16],
    [20, 1 | (1 << 16)],
    [24, 8000],
    [28, 8000],
    [32, 1 | (8 << 16)],
    [40, 8000],
  ]
  wave.write('RIFF\0\0\0\0WAVEfmt ', 0)
  wave.writeUInt32LE(36 + 8000, 4)
  for (const [place, value] of head) wave.writeUInt32LE(value, place)
  wave.write('data', 36)
  return wave
}

/** The form is not that of the recording, whose files were left out. */
function formOf(model: string): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(silence())]), 'speech.wav')
  form.append('model', model)
  return form
}

export const besideChat: readonly Beside[] = allRecordings().flatMap((recording) => {
  const api = apiOf(recording)
  if (!api) return []
  const place = placeOf(recording, api)
  const model = nameOf(place)
  const isForm = recording.api === 'openai.audio'
  const asked = { ...api.plain, ...bodyOf(recording, {}) }
  return {
    recording,
    place,
    path: api.path(model),
    headers: {
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...(api.dialect === anthropicMessages ? { 'anthropic-version': '2023-06-01' } : {}),
    },
    body: isForm ? formOf(model) : JSON.stringify(api.path('').startsWith('/v1beta/') ? asked : { ...asked, model }),
    compared: (text) => (api.counts ? (JSON.parse(text) as Record<string, unknown>)[api.counts] : text),
  }
})
