// Google's images, requested in OpenAI's format: Imagen's by `:predict`, those of Gemini's image models by
// generateContent. https://ai.google.dev/gemini-api/docs/imagen and https://ai.google.dev/gemini-api/docs/image-generation
import { fail } from '../../errors.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import type { TranslatedFormat, PassthroughDialect } from '../dialect.ts'
import { buildPromptBlock, CONTENT_WITHHELD } from '../answers/failures.ts'
import { isWithheld } from '../gemini-generate/answer.ts'
import { findDisguisedError, findPromptBlock, readErrorReply } from '../gemini-generate/error.ts'
import { getEitherSpelling } from '../gemini-generate/fields.ts'
import { parseUsage } from '../gemini-generate/usage.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, asObject, asText, getMember, parseJsonBytes, omitUndefinedMembers } from '../json/json-value.ts'
import { buildKnownUsage, buildPlainHead, createPassthroughDialect } from '../passing.ts'
import { patchWithoutModel } from '../requests/patch.ts'
import { redactSecrets } from '../answers/redact.ts'

/** OpenAI's image fields that neither of the two supports. */
const UNKNOWN = ['quality', 'style', 'background', 'moderation', 'output_compression', 'output_format', 'user']

/** The ratios that Imagen makes, and those of Gemini's image models. */
const IMAGEN_RATIOS = ['1:1', '3:4', '4:3', '9:16', '16:9']
const GEMINI_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']

/** The longer side from which a larger size is requested than the usual one. Unit: pixels. */
const LARGE = 2048
const LARGEST = 4096

interface ImageShape {
  ratio?: string
  /** undefined for the usual size, which not every model lets its caller choose. */
  size?: '2K' | '4K'
}

/** Reads a size such as `1536x1024`, or a ratio such as `16:9`, as the nearest shape that can be made. */
function readShape(size: unknown, ratios: readonly string[]): ImageShape {
  const [, wide, sign, high] = /^\s*(\d{1,5})\s*([x:])\s*(\d{1,5})\s*$/i.exec(asText(size) ?? '') ?? []
  const width = Number(wide)
  const height = Number(high)
  if (!(width > 0 && height > 0)) return {}
  const distance = (ratio: string) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number)
    return Math.abs(Math.log((width * down) / (height * across)))
  }
  const [ratio] = ratios.toSorted((one, other) => distance(one) - distance(other))
  const longer = sign === ':' ? 0 : Math.max(width, height)
  const large = longer >= LARGEST ? '4K' : longer >= LARGE ? '2K' : undefined
  return omitUndefinedMembers<ImageShape>({ ratio, size: large })
}

interface ImageRequest {
  prompt: string
  n: number
  size: unknown
  dropped: string[]
}

/** @throws GatewayError request.untranslatable for images at URLs, since Google sends bytes */
function readRequest(body: Uint8Array): ImageRequest {
  const { prompt, n, size, response_format, ...rest } = asObject(parseJsonBytes(body)) ?? {}
  if (response_format === 'url') fail('request.untranslatable', { reason: 'response_format url' })
  return {
    prompt: asText(prompt) ?? '',
    n: Number(n ?? 1),
    size,
    dropped: UNKNOWN.filter((name) => rest[name] !== undefined),
  }
}

/** Writes OpenAI's answer. @throws GatewayError upstream.unreadable if there is no image */
function writeAnswer(images: readonly string[], texts: readonly string[] = [], usage?: JsonObject): Uint8Array {
  if (images.length === 0) fail('upstream.unreadable', {}, { detail: 'there is no picture in the answer' })
  const revised_prompt = texts.join('') || undefined
  const data = images.map((b64_json) => omitUndefinedMembers<JsonObject>({ b64_json, revised_prompt }))
  return toJsonBytes(omitUndefinedMembers<JsonObject>({ created: Math.floor(Date.now() / 1000), data, usage }))
}

// Imagen: several images, sold individually. Images that Google's filter holds back are missing, and cost nothing.

const listPredictions = (answer: unknown): unknown[] => asList(getMember(answer, 'predictions')) ?? []

const listImagenImages = (answer: unknown): string[] =>
  listPredictions(answer).flatMap((one) => asText(getMember(one, 'bytesBase64Encoded')) || [])

/** Returns the failure of an answer whose images were all held back. */
function findFilterReason(answer: unknown): CallFailure | undefined {
  if (listImagenImages(answer).length > 0) return undefined
  const reason = listPredictions(answer)
    .map((one) => asText(getMember(one, 'raiFilteredReason')))
    .find((text) => text !== undefined)
  return reason === undefined ? undefined : buildPromptBlock(redactSecrets(`The prompt was blocked: ${reason}`))
}

export const imagenPredictFormat: PassthroughDialect = {
  ...createPassthroughDialect({
    name: 'imagen-predict',
    operation: 'images',
    paths: ['/v1beta/models/{model}:predict'],
    headFields: {},
    head: ({ model }) => buildPlainHead(model),
    texts: () => [],
    usageKeys: ['predictions'],
    usageOf: (answer, { images = { n: 1 } }) =>
      buildKnownUsage({ images: { ...images, n: Math.min(listImagenImages(answer).length, images.n) } }),
  }),
  patchRequestBody: patchWithoutModel,
  readErrorReply,
  readDisguisedError(body) {
    const answer = parseJsonBytes(body)
    return findDisguisedError(answer) ?? findFilterReason(answer)
  },
}

const imagenForImages: TranslatedFormat = {
  dialect: imagenPredictFormat,
  write(body) {
    const { prompt, n, size, dropped } = readRequest(body)
    const { ratio, size: sampleImageSize } = readShape(size, IMAGEN_RATIOS)
    const parameters = { sampleCount: n, aspectRatio: ratio, sampleImageSize, personGeneration: 'allow_adult' }
    const written = { instances: [{ prompt }], parameters: omitUndefinedMembers<JsonObject>(parameters) }
    return { body: toJsonBytes(written), dropped }
  },
  read: (answer) => writeAnswer(listImagenImages(parseJsonBytes(answer))),
}

// Gemini's image models: one image for a prompt, charged by its tokens.

function listParts(answer: unknown): unknown[] {
  const candidates = asList(getMember(answer, 'candidates')) ?? []
  return candidates.flatMap((one) => asList(getMember(getMember(one, 'content'), 'parts')) ?? [])
}

/** Drafts that the model made while it reasoned are no part of the answer. */
const isShown = (part: unknown): boolean => getMember(part, 'thought') !== true

const listGeminiImages = (answer: unknown): string[] =>
  listParts(answer)
    .filter(isShown)
    .flatMap((part) => asText(getMember(getEitherSpelling(part, 'inlineData'), 'data')) || [])

export const geminiImageFormat: PassthroughDialect = {
  ...createPassthroughDialect({
    name: 'gemini-images',
    operation: 'images',
    paths: ['/v1beta/models/{model}:generateContent'],
    headFields: {},
    head: ({ model }) => buildPlainHead(model),
    texts: () => [],
    usageKeys: ['usageMetadata', 'candidates'],
    usageOf(answer, { prompt_estimate: input, images = { n: 1 } }) {
      const { usageMetadata } = answer
      const reported = parseUsage(usageMetadata, undefined)
      const estimate = () => buildKnownUsage({ input, source: 'estimated', estimated_by: 'text' })
      const n = Math.min(listGeminiImages(answer).length, images.n)
      return { ...(reported ?? estimate()), images: { ...images, n } }
    },
  }),
  patchRequestBody: patchWithoutModel,
  readErrorReply,
  readDisguisedError(body) {
    const answer = parseJsonBytes(body)
    const failure = findDisguisedError(answer) ?? findPromptBlock(answer)
    if (failure || listGeminiImages(answer).length > 0) return failure
    return (asList(getMember(answer, 'candidates')) ?? []).some(isWithheld)
      ? { ...CONTENT_WITHHELD, status: 400, code: 'prompt_blocked' }
      : undefined
  },
}

/** Writes the tokens of an answer as OpenAI's image models report theirs. */
function writeImageUsage(metadata: unknown): JsonObject | undefined {
  const usage = parseUsage(metadata, undefined)
  if (!usage) return undefined
  const { image_in = 0, output } = usage
  const input_tokens = usage.input + usage.cache_read
  return {
    input_tokens,
    output_tokens: output,
    total_tokens: input_tokens + output,
    input_tokens_details: { text_tokens: input_tokens - image_in, image_tokens: image_in },
  }
}

const geminiForImages: TranslatedFormat = {
  dialect: geminiImageFormat,
  write(body) {
    const { prompt, n, size, dropped } = readRequest(body)
    if (n > 1) fail('request.untranslatable', { reason: 'more than one image for a call (n)' })
    const { ratio: aspectRatio, size: imageSize } = readShape(size, GEMINI_RATIOS)
    const imageConfig = omitUndefinedMembers<JsonObject>({ aspectRatio, imageSize })
    const generationConfig = {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(Object.keys(imageConfig).length > 0 ? { imageConfig } : {}),
    }
    return { body: toJsonBytes({ contents: [{ role: 'user', parts: [{ text: prompt }] }], generationConfig }), dropped }
  },
  read(body) {
    const answer = parseJsonBytes(body)
    const texts = listParts(answer)
      .filter(isShown)
      .flatMap((part) => asText(getMember(part, 'text')) ?? [])
    return writeAnswer(listGeminiImages(answer), texts, writeImageUsage(getMember(answer, 'usageMetadata')))
  },
}

export const googleForImages: readonly TranslatedFormat[] = [imagenForImages, geminiForImages]
