// Whisper at Cloudflare, requested as OpenAI's transcriptions: the older models take the audio alone, the newer one JSON
// with the audio in base64. https://developers.cloudflare.com/workers-ai/models/whisper/ and whisper-large-v3-turbo
import { fail } from '../../errors.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import type { TranslatedFormat, PassthroughDialect } from '../dialect.ts'
import type { RequestHead } from '../requests/head.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import {
  asList,
  asFiniteNumber,
  asObject,
  asText,
  getMember,
  parseJsonBytes,
  omitUndefinedMembers,
} from '../json/json-value.ts'
import type { RequestPlace } from '../model-request.ts'
import type { FormParts, FormFile, StreamedForm } from './multipart.ts'
import { parseFailure } from '../openai-chat/error.ts'
import { buildKnownUsage, buildPlainHead, createPassthroughDialect, estimateTextUsage } from '../passing.ts'
import { patchWithoutModel } from '../requests/patch.ts'
import type { Usage } from '../answers/usage.ts'

const encoder = new TextEncoder()

/** Does the model take JSON? */
export const takesWhisperJson = (model: string): boolean => model.startsWith('@cf/openai/whisper-large')
export const isWhisper = (model: string): boolean => model.startsWith('@cf/openai/whisper')

/** Returns the failure in an envelope that reports no success. */
function findFailure(body: Uint8Array, status: number): CallFailure | undefined {
  const answer = asObject(parseJsonBytes(body))
  if (answer?.success !== false) return undefined
  const { code, message } = asObject(asList(answer.errors)?.[0]) ?? {}
  return parseFailure({ message, code, type: 'upstream_error' }, status)
}

/** Returns the reported length, otherwise that of the file. */
function heardUsage({ result }: JsonObject, head: RequestHead): Usage {
  const reported = asFiniteNumber(getMember(getMember(result, 'transcription_info'), 'duration'))
  if (reported !== undefined && reported > 0) return buildKnownUsage({ seconds: reported })
  const { seconds, seconds_by: estimated_by } = head
  return seconds ? buildKnownUsage({ seconds, source: 'estimated', estimated_by }) : estimateTextUsage(head)
}

function whisper(name: string): PassthroughDialect {
  const dialect = createPassthroughDialect({
    name,
    operation: 'transcription',
    paths: ['/ai/run/{model}'],
    headFields: {},
    head: ({ model }) => buildPlainHead(model),
    texts: () => [],
    usageKeys: ['result'],
    usageOf: heardUsage,
  })
  return {
    ...dialect,
    patchRequestBody: patchWithoutModel,
    readErrorReply: (status, body) => findFailure(body, status) ?? dialect.readErrorReply(status, body),
    readDisguisedError: (body) => findFailure(body, 502) ?? dialect.readDisguisedError(body),
  }
}

export const whisperRawFormat = whisper('cloudflare-whisper')
export const whisperJsonFormat = whisper('cloudflare-whisper-json')

const FORMATS = ['json', 'text', 'verbose_json', 'vtt', 'srt']

/** @throws GatewayError request.invalid without a file, request.untranslatable for what Whisper cannot write there */
function checkRequest({ response_format = 'json' }: JsonObject, place: RequestPlace | undefined): void {
  if (place?.form?.files.length !== 1) fail('request.invalid', { param: 'file', reason: 'one file is required' })
  const format = asText(response_format) ?? ''
  if (!FORMATS.includes(format)) fail('request.untranslatable', { reason: `response_format ${format}` })
}

const listDropped = (request: JsonObject, known: readonly string[]): string[] =>
  Object.keys(request).filter((key) => ![...known, 'model', 'response_format', 'stream', 'file'].includes(key))

const getFile = ({ files }: FormParts): FormFile =>
  files[0] ?? fail('request.invalid', { param: 'file', reason: 'file is required' })

const rawForTranscriptions: TranslatedFormat = {
  dialect: whisperRawFormat,
  write(body, _, place) {
    const request = asObject(parseJsonBytes(body)) ?? {}
    checkRequest(request, place)
    return { body: toJsonBytes({}), dropped: listDropped(request, ['timestamp_granularities']) }
  },
  writeForm(_, form) {
    const file = getFile(form)
    return {
      content_type: 'application/octet-stream',
      size: file.size,
      [Symbol.asyncIterator]: () => file.read()[Symbol.asyncIterator](),
    }
  },
  read: readTranscript,
  contentType: getContentType,
}

const jsonFor = (task: 'transcribe' | 'translate'): TranslatedFormat => ({
  dialect: whisperJsonFormat,
  write(body, _, place) {
    const request = asObject(parseJsonBytes(body)) ?? {}
    checkRequest(request, place)
    const { language, prompt } = request
    const written = omitUndefinedMembers<JsonObject>({
      task,
      language: asText(language),
      initial_prompt: asText(prompt),
    })
    return {
      body: toJsonBytes(written),
      dropped: listDropped(request, ['language', 'prompt', 'timestamp_granularities']),
    }
  },
  writeForm: writeWithAudio,
  read: (answer, head) => readTranscript(answer, head, task),
  contentType: getContentType,
})

export const whisperForTranscriptions: readonly TranslatedFormat[] = [rawForTranscriptions, jsonFor('transcribe')]
/** Only the newer model is told what to do. */
export const whisperForTranslations: readonly TranslatedFormat[] = [jsonFor('translate')]

/** Writes the fields as JSON with the audio in base64, which is encoded while it is sent. */
function writeWithAudio(fields: JsonObject, form: FormParts): StreamedForm {
  const file = getFile(form)
  const others = JSON.stringify(fields).slice(0, -1)
  const start = encoder.encode(`${others}${others === '{' ? '' : ','}"audio":"`)
  const end = encoder.encode('"}')
  return {
    content_type: 'application/json',
    size: start.length + Math.ceil(file.size / 3) * 4 + end.length,
    async *[Symbol.asyncIterator]() {
      yield start
      let rest = Buffer.alloc(0)
      for await (const run of file.read()) {
        const bytes = Buffer.concat([rest, run])
        const whole = bytes.length - (bytes.length % 3)
        if (whole > 0) yield encoder.encode(bytes.toString('base64', 0, whole))
        rest = bytes.subarray(whole)
      }
      if (rest.length > 0) yield encoder.encode(rest.toString('base64'))
      yield end
    },
  }
}

const TYPES: Readonly<Record<string, string>> = {
  text: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
}
function getContentType({ transcript_format = 'json' }: RequestHead): string {
  return TYPES[transcript_format] ?? 'application/json'
}

/**
 * Writes the transcript in the form that its caller requested.
 * @throws GatewayError upstream.unreadable
 */
function readTranscript(answer: Uint8Array, { transcript_format }: RequestHead, task = 'transcribe'): Uint8Array {
  const result = asObject(getMember(parseJsonBytes(answer), 'result'))
  const text = asText(result?.text)
  if (!result || text === undefined)
    return fail('upstream.unreadable', {}, { detail: 'there is no text in the answer' })
  if (transcript_format === 'text') return encoder.encode(`${text}\n`)
  if (transcript_format === 'vtt') return encoder.encode(getSubtitles(result))
  if (transcript_format === 'srt') return encoder.encode(toSubRip(getSubtitles(result)))
  if (transcript_format !== 'verbose_json') return toJsonBytes({ text })
  const { language, duration } = asObject(result.transcription_info) ?? {}
  const segments = asList(result.segments)
  const words = asList(result.words) ?? segments?.flatMap((one) => asList(getMember(one, 'words')) ?? [])
  const numbered = segments?.map((one, id) => {
    const { words: _, ...segment } = asObject(one) ?? {}
    return { id, ...segment }
  })
  return toJsonBytes(omitUndefinedMembers<JsonObject>({ task, language, duration, text, segments: numbered, words }))
}

const getSubtitles = ({ vtt }: JsonObject): string =>
  asText(vtt) ?? fail('upstream.unreadable', {}, { detail: 'there are no subtitles in the answer' })

/** Rewrites WebVTT as SubRip: numbered, with hours and a comma in its times. */
function toSubRip(vtt: string): string {
  const cues = vtt
    .replaceAll('\r', '')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const lines = block.trim().split('\n')
      const at = lines.findIndex((line) => line.includes('-->'))
      if (at < 0) return []
      const times = (lines[at] ?? '').replace(
        /(?:(\d+):)?(\d\d):(\d\d)\.(\d{3})/g,
        (_, hours = '00', ...rest: string[]) => `${hours}:${rest[0]}:${rest[1]},${rest[2]}`,
      )
      return [[times, ...lines.slice(at + 1)].join('\n')]
    })
  return cues.map((cue, index) => `${index + 1}\n${cue}\n`).join('\n')
}
