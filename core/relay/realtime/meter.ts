// What passes in a realtime session, counted: it bounds what a provider may report, and stands in where none is.
import type { Usage } from '../../dialects/usage.ts'
import { asList, getMember, asText, type JsonObject } from '../../dialects/json-value.ts'
import { settingsIn, textsOf } from '../../dialects/openai-realtime.ts'
import { base64Bytes } from '../../dialects/sound.ts'
import { knownUsage } from '../../dialects/passing.ts'
import { audioTokens } from '../../pricing/audio-tokens.ts'
import type { OutputEstimate } from '../said.ts'

type Event = JsonObject & { type: string }

export interface RealtimeMeter {
  /** A message passed, whoever sent it. */
  passed(bytes: number): void
  /** The caller said it. */
  asked(event: Event): void
  /** The provider said it. */
  answered(event: Event): void
  /** All that passed since the beginning, in bytes. */
  bytes(): number
  /** The model that writes down what is heard, as the session is set. */
  transcriber(): string | undefined
  /** What was answered since the last count. Unit: tokens. */
  answer(): OutputEstimate
  /** What was asked and answered since the last count, or null where nothing was answered. Counting begins anew. */
  take(): Usage | null
}

/** Bytes of text to a token, roughly. */
const BYTES_PER_TOKEN = 4
/** What sound is taken for before a session says it. */
const FORMAT = 'pcm16'

const tokens = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN)

/** Unit of all four: bytes. */
const nothing = () => ({ text_in: 0, audio_in: 0, text_out: 0, audio_out: 0 })

export function createRealtimeMeter(): RealtimeMeter {
  let count = nothing()
  let all = 0
  let session: ReturnType<typeof settingsIn> = {}
  const answer = () => {
    const audio_out = audioTokens(session.output ?? FORMAT, count.audio_out, 'output')
    return { output: tokens(count.text_out) + audio_out, audio_out }
  }

  return {
    passed: (bytes) => void (all += bytes),
    bytes: () => all,
    transcriber: () => session.transcriber,
    asked(event) {
      if (event.type === 'input_audio_buffer.append') count.audio_in += base64Bytes(event.audio)
      for (const part of asList(getMember(event.item, 'content')) ?? []) {
        count.audio_in += base64Bytes(getMember(part, 'audio'))
      }
      for (const text of textsOf(event)) count.text_in += text.length
    },
    answered(event) {
      if (event.type.startsWith('session.')) session = { ...session, ...settingsIn(event) }
      const delta =
        event.type.startsWith('response.') && event.type.endsWith('.delta') ? asText(event.delta) : undefined
      if (delta === undefined) return
      if (event.type.endsWith('audio.delta')) count.audio_out += base64Bytes(delta)
      else count.text_out += delta.length
    },
    answer,
    take() {
      const { text_in, audio_in, text_out, audio_out } = count
      const answered = answer()
      count = nothing()
      if (text_out + audio_out === 0) return null
      const heard = audioTokens(session.input ?? FORMAT, audio_in, 'input')
      return knownUsage({ input: tokens(text_in) + heard, audio_in: heard, ...answered, source: 'estimated' })
    },
  }
}
