// All formats that callers can use. The relay's paths, its API document and the format tests are derived from this
// list.
import { anthropicMessages } from './anthropic-messages/index.ts'
import type { CallerDialect } from './dialect.ts'
import { geminiBatchEmbedContents, geminiEmbedContent } from './embeddings/gemini-embeddings.ts'
import { geminiGenerate } from './gemini-generate/index.ts'
import { openaiSpeech, openaiTranscriptions, openaiTranslations } from './media/openai-audio.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiCompaction } from './compaction/openai-compaction.ts'
import { openaiCompletions } from './openai-completions.ts'
import { openaiEmbeddings, openaiModerations } from './embeddings/openai-embeddings.ts'
import { openaiImageEdits, openaiImages, openaiImageVariations } from './media/openai-images.ts'
import { openaiRealtime } from './openai-realtime.ts'
import { openaiResponses } from './openai-responses/index.ts'
import { rerank } from './embeddings/rerank.ts'

export const ALL_CALLER_FORMATS: readonly CallerDialect[] = [
  openaiChat,
  openaiCompletions,
  openaiResponses,
  openaiCompaction,
  anthropicMessages,
  openaiEmbeddings,
  openaiModerations,
  rerank,
  openaiImages,
  openaiImageEdits,
  openaiImageVariations,
  openaiSpeech,
  openaiTranscriptions,
  openaiTranslations,
  openaiRealtime,
  geminiGenerate,
  geminiEmbedContent,
  geminiBatchEmbedContents,
]
