// MiniMax's speech, requested in OpenAI's format: the audio is hexadecimal text in JSON.
// https://platform.minimaxi.com/docs/api-reference/speech-t2a-http
import { fail } from '../../errors.ts'
import type { TranslatedFormat, PassthroughDialect } from '../dialect.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import {
  asFiniteNumber,
  asObject,
  asText,
  getMember,
  parseJsonBytes,
  omitUndefinedMembers,
} from '../json/json-value.ts'
import { buildKnownUsage, buildPlainHead, createPassthroughDialect, estimateTextUsage } from '../passing.ts'

export const minimaxSpeechFormat: PassthroughDialect = createPassthroughDialect({
  name: 'minimax-speech',
  operation: 'speech',
  paths: ['/v1/t2a_v2'],
  headFields: {},
  head: ({ model }) => buildPlainHead(model),
  texts: () => [],
  usageKeys: ['extra_info'],
  // A Chinese character counts as two, so that the report differs from the length of the text.
  usageOf({ extra_info }, head) {
    const characters = asFiniteNumber(getMember(extra_info, 'usage_characters')) ?? head.characters
    return characters === undefined ? estimateTextUsage(head) : buildKnownUsage({ characters })
  },
})

/** MiniMax's voices for OpenAI's names; any other name is MiniMax's own. */
const VOICES: Readonly<Record<string, string>> = {
  alloy: 'male-qn-qingse',
  ash: 'male-qn-jingying',
  ballad: 'male-qn-daxuesheng',
  coral: 'female-yujie',
  echo: 'male-qn-jingying',
  fable: 'male-qn-badao',
  nova: 'presenter_female',
  onyx: 'presenter_male',
  sage: 'female-chengshu',
  shimmer: 'audiobook_female_1',
  verse: 'audiobook_male_1',
}

/** Media types by audio format. */
const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  opus: 'audio/opus',
  pcm: 'audio/pcm',
}

/** The rate at which OpenAI's clients play raw samples. Unit: samples per second. */
const RAW_RATE = 24_000

export const minimaxForSpeech: TranslatedFormat = {
  dialect: minimaxSpeechFormat,
  write(body, model) {
    const { input, voice, speed, response_format = 'mp3', instructions } = asObject(parseJsonBytes(body)) ?? {}
    const format = asText(response_format) ?? ''
    if (!Object.hasOwn(TYPES, format)) fail('request.untranslatable', { reason: `response_format ${format}` })
    const name = asText(voice) ?? asText(getMember(voice, 'id')) ?? 'alloy'
    const voice_id = Object.hasOwn(VOICES, name) ? VOICES[name] : name
    const written = {
      model,
      text: asText(input) ?? '',
      stream: false,
      output_format: 'hex',
      voice_setting: omitUndefinedMembers<JsonObject>({ voice_id, speed: asFiniteNumber(speed) }),
      audio_setting: { format, ...(format === 'pcm' ? { sample_rate: RAW_RATE } : {}) },
    }
    return { body: toJsonBytes(written), dropped: instructions === undefined ? [] : ['instructions'] }
  },
  read(answer) {
    const hex = asText(getMember(getMember(parseJsonBytes(answer), 'data'), 'audio')) ?? ''
    if (hex === '' || hex.length % 2 === 1 || !/^[\da-f]+$/i.test(hex)) {
      fail('upstream.unreadable', {}, { detail: 'there is no audio in the answer' })
    }
    return Buffer.from(hex, 'hex')
  },
  contentType: ({ sound_format = 'mp3' }) => TYPES[sound_format] ?? 'application/octet-stream',
}
