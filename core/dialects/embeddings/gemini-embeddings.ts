// Gemini's embeddings: one content, or several requests in one. Providers that only support OpenAI's embeddings are
// called in that format.
import { fail } from '../../errors.ts'
import { estimateTextTokens } from '../requests/head.ts'
import type { TranslatedFormat, PassthroughDialect } from '../dialect.ts'
import { COST_SCANNER, FIELD_FINDING, getEitherSpelling, numberOrTextField } from '../gemini-generate/fields.ts'
import {
  findDisguisedError,
  FINAL_ERROR_STATUS,
  readErrorReply,
  writeErrorReply,
  writeErrorFrame,
} from '../gemini-generate/error.ts'
import { generateObjects, removeModelCollection } from '../gemini-generate/head.ts'
import { patchRequestBody } from '../gemini-generate/patch.ts'
import { parseUsage } from '../gemini-generate/usage.ts'
import { changeTopMembers, joinParts, toJsonBytes, changeTopMember } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../json/json-value.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { createPassthroughDialect, buildPlainHead, estimateTextUsage } from '../passing.ts'
import { toKindCheck, textField, type KindCheck, type MemberKinds } from '../requests/shape.ts'
import { encodeEmbedding } from './vectors.ts'

/** Tokens counted for a part that is not text: an image, an audio segment or a page. */
const PART = 258

const listParts = (request: unknown): unknown[] => {
  const content = getEitherSpelling(request, 'content')
  return asList(getEitherSpelling(content, 'parts')) ?? (asText(content) === undefined ? [] : [{ text: content }])
}
const countTokens = (part: unknown): number => {
  const text = asText(getMember(part, 'text'))
  return text === undefined ? PART : estimateTextTokens(text)
}

const parts = toKindCheck({ parts: [{ text: textField }] }, FIELD_FINDING)
const oneField = {
  content: ((value) => typeof value === 'string' || parts(value)) as KindCheck,
  outputDimensionality: numberOrTextField,
  taskType: textField,
  title: textField,
} as const

/** Returns the requests in a body of either kind. */
type Requests = (body: JsonObject) => unknown[]

function embeddings(
  name: string,
  action: string,
  headFields: MemberKinds,
  requests: Requests,
  write: (vectors: JsonObject[], usage: JsonObject | undefined) => object,
) {
  const listContents = (request: JsonObject): unknown[][] => {
    const contents = requests(request).map(listParts)
    if (contents.length === 0 || contents.some((parts) => parts.length === 0)) {
      fail('request.invalid', { param: 'content', reason: 'content is required' })
    }
    return contents
  }
  const asOpenai: TranslatedFormat = {
    dialect: openaiEmbeddings,
    write(body, model) {
      const request = asObject(parseJsonBytes(body)) ?? {}
      const input = listContents(request).map(joinTexts)
      const embedRequests = requests(request)
      const sizes = new Set(embedRequests.map((one) => asFiniteNumber(getEitherSpelling(one, 'outputDimensionality'))))
      if (sizes.size > 1) fail('request.untranslatable', { reason: 'several sizes in one request' })
      const [dimensions] = sizes
      const dropped = ['taskType', 'title'].filter((key) =>
        embedRequests.some((one) => getEitherSpelling(one, key) !== undefined),
      )
      const written = { model, input, encoding_format: 'float', ...(dimensions === undefined ? {} : { dimensions }) }
      return { body: toJsonBytes(written), dropped }
    },
    read(answer) {
      const { data, usage } = asObject(parseJsonBytes(answer)) ?? {}
      const vectors = asList(data) ?? fail('upstream.unreadable')
      const placed = vectors.toSorted((a, b) => getIndex(a) - getIndex(b))
      return toJsonBytes(
        write(
          placed.map((one) => ({ values: encodeEmbedding(getMember(one, 'embedding'), 'float') })),
          usageFrom(usage),
        ),
      )
    },
  }
  const dialect: PassthroughDialect = {
    ...createPassthroughDialect({
      name,
      operation: 'embeddings',
      paths: [`/v1beta/models/{model}:${action}`],
      headFields,
      finding: FIELD_FINDING,
      objects: generateObjects,
      head(request, place) {
        const tokens = listContents(request)
          .flat()
          .reduce<number>((sum, part) => sum + countTokens(part), 0)
        const model = removeModelCollection(place?.model ?? '')
        return buildPlainHead(model === '' ? fail('request.no_model') : model, tokens)
      },
      texts(body) {
        const texts = listContents(asObject(parseJsonBytes(body)) ?? {})
          .flat()
          .map((part) => asText(getMember(part, 'text')))
        return texts.every((text) => text !== undefined) ? texts : []
      },
      usageKeys: ['usageMetadata'],
      usageOf({ usageMetadata }, head) {
        // Here the member of the details has a singular name.
        const details = { promptTokensDetails: getEitherSpelling(usageMetadata, 'promptTokenDetails') }
        const usage = parseUsage(asObject(usageMetadata) && { ...details, ...asObject(usageMetadata) }, undefined)
        return usage ?? estimateTextUsage(head)
      },
    }),
    // Each request repeats the model, which must match the one in the address.
    patchRequestBody(body, change) {
      const patched = patchRequestBody(body, { ...change, implied: undefined, system: undefined })
      return changeTopMember(joinParts(patched), 'requests', (list) =>
        (asList(list) ?? []).map((one) => ({ ...asObject(one), model: `models/${change.model}` })),
      )
    },
    words: COST_SCANNER,
    readErrorReply,
    readDisguisedError: (body) => findDisguisedError(parseJsonBytes(body)),
    writeErrorReply,
    finalStatus: FINAL_ERROR_STATUS,
    writeErrorFrame,
    withUsage: (answer, { input }) =>
      changeTopMembers(answer, new Map([['usageMetadata', toJsonBytes({ promptTokenCount: input })]])),
    as: [asOpenai, ...(openaiEmbeddings.as ?? []).map((other) => translateTwice(asOpenai, other))],
  }
  return dialect
}

/** Translates to a format that only the second one is translated to. */
const translateTwice = (first: TranslatedFormat, second: TranslatedFormat): TranslatedFormat => ({
  dialect: second.dialect,
  write(body, model) {
    const once = first.write(body, model)
    const twice = second.write(once.body, model)
    return { body: twice.body, dropped: [...once.dropped, ...twice.dropped] }
  },
  read: (answer, head) => first.read(second.read(answer, head), head),
})

/** Returns the usage of an answer in OpenAI's format; undefined if it reports none. */
function usageFrom(usage: unknown): JsonObject | undefined {
  const promptTokenCount =
    asFiniteNumber(getMember(usage, 'prompt_tokens')) ?? asFiniteNumber(getMember(usage, 'total_tokens'))
  return promptTokenCount === undefined ? undefined : { promptTokenCount }
}

const getIndex = (vector: unknown): number => asFiniteNumber(getMember(vector, 'index')) ?? 0

const joinTexts = (parts: unknown[]): string =>
  parts
    .map(
      (part) => asText(getMember(part, 'text')) ?? fail('request.untranslatable', { reason: 'only text is embedded' }),
    )
    .join('')

export const geminiEmbedContent: PassthroughDialect = embeddings(
  'gemini-embed-content',
  'embedContent',
  oneField,
  (body) => [body],
  ([embedding], usageMetadata) => ({ embedding, usageMetadata }),
)

export const geminiBatchEmbedContents: PassthroughDialect = embeddings(
  'gemini-batch-embed-contents',
  'batchEmbedContents',
  { requests: [oneField] },
  (body) => asList(body.requests) ?? [],
  (all, usageMetadata) => ({ embeddings: all, usageMetadata }),
)
