// The ways into a provider that follows OpenAI, in one word each.
import type { Format } from '../dialects/format.ts'
import { openaiSpeech, openaiTranscriptions, openaiTranslations } from '../dialects/openai-audio.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompactionTrigger } from '../dialects/openai-compaction-trigger.ts'
import { openaiCompaction } from '../dialects/openai-compaction.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiEmbeddings, openaiModerations } from '../dialects/openai-embeddings.ts'
import { openaiImageEdits, openaiImages, openaiImageVariations } from '../dialects/openai-images.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { rerank } from '../dialects/rerank.ts'
import { isTaskOperation } from '../models/operation.ts'
import type { UpstreamEndpoint, Doors } from './provider.ts'

const FORMATS = {
  chat: openaiChat,
  responses: openaiResponses,
  completions: openaiCompletions,
  compaction: openaiCompaction,
  compaction_trigger: openaiCompactionTrigger,
  embeddings: openaiEmbeddings,
  moderations: openaiModerations,
  rerank,
  images: openaiImages,
  image_edits: openaiImageEdits,
  image_variations: openaiImageVariations,
  speech: openaiSpeech,
  transcriptions: openaiTranscriptions,
  translations: openaiTranslations,
}
type Word = keyof typeof FORMATS

/** All that servers in OpenAI's place have beside chat. */
export const BESIDE_CHAT = [
  ...(['embeddings', 'rerank', 'images', 'image_edits', 'image_variations'] as const),
  ...(['speech', 'transcriptions', 'translations'] as const),
]

/** How servers in OpenAI's place tell that they do not know an item that asks for a summary. */
export const TRIGGER_UNKNOWN = { optional: true, unknown_word: 'compaction_trigger' } as const

/** `at` stands in the place of `/v1`; the rest is said of the door as anywhere. */
type Said = Partial<Omit<UpstreamEndpoint, 'dialect'>> & { at?: string }

export function openaiDoor(word: Word, { at = '/v1', ...more }: Said = {}): UpstreamEndpoint {
  const { paths }: Pick<Format, 'paths'> = FORMATS[word]
  return { dialect: FORMATS[word], path: paths[0].replace('/v1', at), ...more }
}

/** The doors of these words, each under what is asked for there. */
export function openaiDoors(...words: [...Word[]] | [...Word[], Said]): Doors {
  const last = words.at(-1)
  const said = typeof last === 'object' ? last : {}
  const doors: Doors = {}
  for (const word of words) {
    if (typeof word === 'object') continue
    const { operation } = FORMATS[word]
    if (isTaskOperation(operation)) continue
    doors[operation] = [...(doors[operation] ?? []), openaiDoor(word, said)]
  }
  return doors
}
