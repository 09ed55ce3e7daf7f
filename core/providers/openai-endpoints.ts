// The ways into a provider that follows OpenAI, in one word each.
import type { WireFormat } from '../dialects/format.ts'
import { openaiSpeech, openaiTranscriptions, openaiTranslations } from '../dialects/media/openai-audio.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompactionTrigger } from '../dialects/compaction/openai-compaction-trigger.ts'
import { openaiCompaction } from '../dialects/compaction/openai-compaction.ts'
import { openaiCompletions } from '../dialects/openai-completions.ts'
import { openaiEmbeddings, openaiModerations } from '../dialects/embeddings/openai-embeddings.ts'
import { openaiImageEdits, openaiImages, openaiImageVariations } from '../dialects/media/openai-images.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { rerank } from '../dialects/embeddings/rerank.ts'
import { isTaskOperation } from '../models/operation.ts'
import type { UpstreamEndpoint, EndpointsByOperation } from './provider.ts'

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
type EndpointWord = keyof typeof FORMATS

/** The operations other than chat that OpenAI-compatible servers offer. */
export const NON_CHAT_OPERATIONS = [
  ...(['embeddings', 'rerank', 'images', 'image_edits', 'image_variations'] as const),
  ...(['speech', 'transcriptions', 'translations'] as const),
]

/** How compatible servers report that they do not know an item that asks for a summary. */
export const UNKNOWN_TRIGGER_ERRORS = { optional: true, unknown_word: 'compaction_trigger' } as const

/** Options of an endpoint. `at` replaces `/v1`; the rest are members of the endpoint. */
type EndpointOptions = Partial<Omit<UpstreamEndpoint, 'dialect'>> & { at?: string }

export function createOpenaiEndpoint(
  word: EndpointWord,
  { at = '/v1', ...more }: EndpointOptions = {},
): UpstreamEndpoint {
  const { paths }: Pick<WireFormat, 'paths'> = FORMATS[word]
  return { dialect: FORMATS[word], path: paths[0].replace('/v1', at), ...more }
}

/** Returns the endpoints of these words, by operation. */
export function createOpenaiEndpoints(
  ...words: [...EndpointWord[]] | [...EndpointWord[], EndpointOptions]
): EndpointsByOperation {
  const last = words.at(-1)
  const options = typeof last === 'object' ? last : {}
  const endpoints: EndpointsByOperation = {}
  for (const word of words) {
    if (typeof word === 'object') continue
    const { operation } = FORMATS[word]
    if (isTaskOperation(operation)) continue
    endpoints[operation] = [...(endpoints[operation] ?? []), createOpenaiEndpoint(word, options)]
  }
  return endpoints
}
