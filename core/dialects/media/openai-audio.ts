// OpenAI's audio: speech from text, and text from speech (transcribed, or translated into English).
import { fail } from '../../errors.ts'
import { whisperForTranscriptions, whisperForTranslations } from './cloudflare-whisper.ts'
import type { Usage } from '../answers/usage.ts'
import { type RequestHead, estimateTextTokens } from '../requests/head.ts'
import type { PassthroughDialect } from '../dialect.ts'
import { minimaxForSpeech } from './minimax-audio.ts'
import type { FormParts } from './multipart.ts'
import { getMember, asFiniteNumber, asObject, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'
import { parseUsage } from '../openai-chat/usage.ts'
import {
  isStreamRequested,
  buildKnownUsage,
  createPassthroughDialect,
  buildPlainHead,
  estimateTextUsage,
} from '../passing.ts'
import { textField } from '../requests/shape.ts'

/** Models whose speech is charged by the character; the others count tokens (docs/billing.md, 4.13). */
const BY_CHARACTER = /^(?:tts|speech-\d)/

/** Counts Unicode code points. */
const characters = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

export const openaiSpeech: PassthroughDialect = createPassthroughDialect({
  as: [minimaxForSpeech],
  name: 'openai-speech',
  operation: 'speech',
  paths: ['/v1/audio/speech'],
  plain: 'bytes',
  usualModel: 'tts-1',
  headFields: { input: textField, instructions: textField, stream_format: textField, response_format: textField },
  head({ model, input, instructions, stream_format, response_format }) {
    const text = asText(input) ?? fail('request.invalid', { param: 'input', reason: 'input is required' })
    return {
      ...buildPlainHead(model, estimateTextTokens(text) + estimateTextTokens(asText(instructions) ?? '')),
      stream: stream_format === 'sse',
      sound_format: asText(response_format),
      ...(BY_CHARACTER.test(model) ? { characters: characters(text) } : {}),
    }
  },
  texts(body) {
    const { input, instructions } = asObject(parseJsonBytes(body)) ?? {}
    return [asText(input), asText(instructions)].filter((text) => text !== undefined)
  },
  // The audio itself reports no usage.
  usageKeys: ['usage'],
  usageOf: ({ usage }, head) =>
    head.characters !== undefined
      ? buildKnownUsage({ characters: head.characters })
      : (parseUsage(usage) ?? estimateTextUsage(head)),
})

const transcribing = (name: string, path: string, as: PassthroughDialect['as']): PassthroughDialect =>
  createPassthroughDialect({
    as,
    name,
    operation: 'transcription',
    paths: [path],
    forms: true,
    plain: 'text',
    usualModel: 'whisper-1',
    headFields: { prompt: textField, response_format: textField },
    head(request, place) {
      return {
        ...buildPlainHead(request.model, estimateTextTokens(asText(request.prompt) ?? '')),
        stream: isStreamRequested(request, place?.form !== undefined),
        transcript_format: asText(request.response_format),
        ...measureFiles(place?.form),
      }
    },
    texts(body) {
      const prompt = asText(getMember(parseJsonBytes(body), 'prompt'))
      return prompt === undefined ? [] : [prompt]
    },
    usageKeys: ['usage', 'duration'],
    usageOf: heardUsage,
  })

export const openaiTranscriptions = transcribing(
  'openai-transcriptions',
  '/v1/audio/transcriptions',
  whisperForTranscriptions,
)
export const openaiTranslations = transcribing('openai-translations', '/v1/audio/translations', whisperForTranslations)

/** Returns the length of all files; it is only as accurate as the least accurate of them. */
function measureFiles(form: FormParts | undefined): Pick<RequestHead, 'seconds' | 'seconds_by'> {
  const files = form?.files ?? []
  const seconds = files.reduce((sum, file) => sum + (file.seconds ?? 0), 0)
  if (seconds === 0) return {}
  return {
    seconds,
    seconds_by: files.every((file) => file.seconds_by !== 'sound_size') ? 'sound_length' : 'sound_size',
  }
}

/**
 * Returns the reported tokens or seconds, otherwise the length of the answer or of the file. Token counts that omit the
 * audio do not count alone.
 */
function heardUsage({ usage, duration }: JsonObject, head: RequestHead): Usage {
  const tokens = parseTokens(usage)
  if (tokens && tokens.input > 0) return tokens
  const reported =
    asFiniteNumber(getMember(usage, 'seconds')) ??
    asFiniteNumber(typeof duration === 'string' ? Number(duration) : duration)
  if (reported !== undefined && reported > 0) return buildKnownUsage({ ...tokens, seconds: reported })
  const { seconds, seconds_by: estimated_by } = head
  if (seconds) return buildKnownUsage({ ...tokens, seconds, source: 'estimated', estimated_by })
  return tokens ?? estimateTextUsage(head)
}

/** Parses the usage. Transcripts have a singular name for the details of their input. */
function parseTokens(usage: unknown): Usage | undefined {
  const report = asObject(usage)
  return (
    report && parseUsage({ ...report, input_tokens_details: report.input_tokens_details ?? report.input_token_details })
  )
}
