// OpenAI's sound: speech made of text, and text made of speech (transcribed, or translated into English).
import { fail } from '../errors.ts'
import type { RequestHead, Usage } from './dialect.ts'
import { textTokens } from './estimate.ts'
import type { PassingDialect } from './format.ts'
import { memberOf, numberIn, objectIn, parsedBytes, textIn, type JsonObject } from './json-value.ts'
import { usageIn } from './openai-chat/usage.ts'
import { isStreamed, knownUsage, namedRequest, passing, plainHead } from './passing.ts'

/** What is asked where no model is named. */
const SPEECH = 'tts-1'
const TRANSCRIPTION = 'whisper-1'

/** Models whose speech is sold by the character; the others count tokens (billing reference, 4.13). */
const BY_CHARACTER = /^tts/

/** A character is a Unicode code point. */
const characters = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

export const openaiSpeech: PassingDialect = passing({
  name: 'openai-speech',
  operation: 'speech',
  plain: 'bytes',
  readHead(body) {
    const { model, input, instructions, stream_format } = namedRequest(body, SPEECH)
    const text = textIn(input) ?? fail('request.invalid', { reason: 'input is required' })
    return {
      ...plainHead(model, textTokens(text) + textTokens(textIn(instructions) ?? '')),
      stream: stream_format === 'sse',
      ...(BY_CHARACTER.test(model) ? { characters: characters(text) } : {}),
    }
  },
  texts(body) {
    const { input, instructions } = objectIn(parsedBytes(body)) ?? {}
    return [textIn(input), textIn(instructions)].filter((text) => text !== undefined)
  },
  // The sound itself reports nothing.
  usageOf: ({ usage }, { characters: said, prompt_estimate }) =>
    said !== undefined
      ? knownUsage({ characters: said })
      : (usageIn(usage) ?? knownUsage({ input: prompt_estimate, source: 'estimated' })),
})

const heard = (name: string): PassingDialect =>
  passing({
    name,
    operation: 'transcription',
    forms: true,
    plain: 'text',
    readHead(body, place) {
      const request = namedRequest(body, TRANSCRIPTION)
      const seconds = place?.form?.files.reduce((sum, file) => sum + (file.seconds ?? 0), 0)
      return {
        ...plainHead(request.model, textTokens(textIn(request.prompt) ?? '')),
        stream: isStreamed(request, place?.form !== undefined),
        ...(seconds ? { seconds } : {}),
      }
    },
    texts(body) {
      const prompt = textIn(memberOf(parsedBytes(body), 'prompt'))
      return prompt === undefined ? [] : [prompt]
    },
    usageOf: heardUsage,
  })

export const openaiTranscriptions = heard('openai-transcriptions')
export const openaiTranslations = heard('openai-translations')

/** The tokens or the seconds that are told; else the length that the answer or the file itself tells. */
function heardUsage({ usage, duration }: JsonObject, head: RequestHead): Usage {
  const tokens = tokensIn(usage)
  if (tokens) return tokens
  const told = numberIn(memberOf(usage, 'seconds')) ?? numberIn(Number(duration ?? NaN))
  if (told !== undefined && told > 0) return knownUsage({ seconds: told })
  if (head.seconds) return knownUsage({ seconds: head.seconds, source: 'estimated' })
  return knownUsage({ input: head.prompt_estimate, source: 'estimated' })
}

/** Transcripts spell the details of their input in the singular. */
function tokensIn(usage: unknown): Usage | undefined {
  const told = objectIn(usage)
  return told && usageIn({ ...told, input_tokens_details: told.input_tokens_details ?? told.input_token_details })
}
