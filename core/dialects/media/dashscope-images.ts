// Alibaba's images at DashScope, requested in OpenAI's format. They are created as tasks: the first answer refers to a
// task that is polled. https://www.alibabacloud.com/help/en/model-studio/text-to-image-v2-api-reference (Wan up to 2.5,
// Wan 2.6) and qwen-image-api.
import { fail } from '../../errors.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import type { TranslatedFormat, PassthroughDialect } from '../dialect.ts'
import { estimateTextTokens } from '../requests/head.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asObject, parseJsonBytes, asText, omitUndefinedMembers } from '../json/json-value.ts'
import type { DeferredAnswer } from '../answers/deferred-answer.ts'
import { parseFailure } from '../openai-chat/error.ts'
import { buildKnownUsage, createPassthroughDialect, buildPlainHead } from '../passing.ts'

/** From 2.6 on a prompt is a message and uses another path. */
export const isPromptMessage = (model: string): boolean => /^wan(2\.[6-9]|[3-9])/.test(model)

/** OpenAI's image fields that DashScope does not support. */
const UNKNOWN = ['quality', 'style', 'background', 'moderation', 'output_compression', 'output_format', 'user']

/** Returns the addresses of the images. One of several may have failed and is not billed. */
function listPictures(answer: unknown): string[] {
  const output = getMember(answer, 'output')
  const results = (asList(getMember(output, 'results')) ?? []).map((one) => getMember(one, 'url'))
  const fromMessages = (asList(getMember(output, 'choices')) ?? []).flatMap((choice) =>
    (asList(getMember(getMember(choice, 'message'), 'content')) ?? []).map((part) => getMember(part, 'image')),
  )
  return [...results, ...fromMessages].flatMap((url) => asText(url) ?? [])
}

export const dashscopeImageFormat: PassthroughDialect = createPassthroughDialect({
  name: 'dashscope-images',
  operation: 'images',
  paths: ['/api/v1/services/aigc/text2image/image-synthesis'],
  headFields: {},
  head: ({ model, input }) => buildPlainHead(model, estimateTextTokens(asText(getMember(input, 'prompt')) ?? '')),
  texts: () => [],
  usageKeys: ['output'],
  usageOf(answer, { images = { n: 1 } }) {
    return buildKnownUsage({ images: { ...images, n: Math.min(listPictures(answer).length, images.n) } })
  },
})

export const dashscopeForImages: TranslatedFormat = {
  dialect: dashscopeImageFormat,
  write(body, model) {
    const { prompt, n, size, response_format, ...rest } = asObject(parseJsonBytes(body)) ?? {}
    const text = asText(prompt) ?? ''
    // The images are at URLs, which are not downloaded here.
    if (response_format === 'b64_json') fail('request.untranslatable', { reason: 'response_format b64_json' })
    const pixels = asText(size)
    const written = {
      model,
      input: isPromptMessage(model) ? { messages: [{ role: 'user', content: [{ text }] }] } : { prompt: text },
      parameters: omitUndefinedMembers<JsonObject>({
        n: Number(n ?? 1),
        size: pixels === undefined || pixels === 'auto' ? undefined : pixels.replace('x', '*'),
      }),
    }
    return { body: toJsonBytes(written), dropped: UNKNOWN.filter((name) => rest[name] !== undefined) }
  },
  read(answer) {
    const urls = listPictures(parseJsonBytes(answer))
    if (urls.length === 0) fail('upstream.unreadable', {}, { detail: 'there is no picture in the answer' })
    return toJsonBytes({
      created: Math.floor(parseEndTime(parseJsonBytes(answer)) / 1000),
      data: urls.map((url) => ({ url })),
    })
  },
}

/** Returns the end time in epoch ms; 0 if not reported. DashScope's times are Beijing time. */
function parseEndTime(answer: unknown): number {
  const endTime = asText(getMember(getMember(answer, 'output'), 'end_time')) ?? ''
  return Date.parse(`${endTime.replace(' ', 'T')}+08:00`) || 0
}

const WAITING = new Set(['PENDING', 'RUNNING', 'SUSPENDED'])

/** Status by error code: errors of the request or of the account. Unknown codes are 500. */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/^Throttling/, 429],
  [/^(InvalidParameter|DataInspectionFailed|IPInfringementSuspect|InvalidURL|BadRequest)/, 400],
  [/^(Arrearage|AccessDenied)/, 403],
]

function toFailure({ code, message }: JsonObject, status: string): CallFailure {
  const word = asText(code) ?? status
  const known = STATUSES.find(([pattern]) => pattern.test(word))?.[1] ?? 500
  return parseFailure({ message: asText(message) ?? word, code: word }, known)
}

export const dashscopeImagesLater: DeferredAnswer = {
  headers: { 'x-dashscope-async': 'enable' },
  getPending(answer) {
    const output = asObject(getMember(answer, 'output')) ?? {}
    const status = asText(output.task_status)
    if (status === 'SUCCEEDED') return undefined
    if (status === undefined) return { failure: toFailure(asObject(answer) ?? {}, 'no task in the answer') }
    if (!WAITING.has(status)) return { failure: toFailure(output, status) }
    return { look: `/api/v1/tasks/${encodeURIComponent(asText(output.task_id) ?? '')}` }
  },
}
