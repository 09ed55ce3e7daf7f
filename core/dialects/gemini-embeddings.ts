// Gemini's embeddings: one content, or several requests in one. Providers that only support OpenAI's embeddings are
// called in that format.
import { fail } from '../errors.ts'
import { textTokens } from './head.ts'
import type { OtherFormat, PassingDialect } from './dialect.ts'
import { eitherField, FINDING, numberField } from './gemini-generate/fields.ts'
import { disguisedError, FINAL_STATUS, readError, writeError, writeErrorFrame } from './gemini-generate/error.ts'
import { objects } from './gemini-generate/objects.ts'
import { plainModel } from './gemini-generate/head.ts'
import { patchRequest } from './gemini-generate/patch.ts'
import { parseUsage } from './gemini-generate/usage.ts'
import { changeMembers, jsonBytes, withMember } from './json-bytes.ts'
import { asList, getMember, asNumber, asObject, parseJsonBytes, asText, type JsonObject } from './json-value.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { createPassthroughDialect, buildPlainHead, estimateTextUsage } from './passing.ts'
import { asKind, textField, type Kind, type Kinds } from './shape.ts'
import { encodeVector } from './vectors.ts'
import { WORDS } from './gemini-generate/words.ts'

/** Tokens counted for a part that is not text: an image, an audio segment or a page. */
const PART = 258

const listParts = (request: unknown): unknown[] => {
  const content = eitherField(request, 'content')
  return asList(eitherField(content, 'parts')) ?? (asText(content) === undefined ? [] : [{ text: content }])
}
const countTokens = (part: unknown): number => {
  const text = asText(getMember(part, 'text'))
  return text === undefined ? PART : textTokens(text)
}

const parts = asKind({ parts: [{ text: textField }] }, FINDING)
const oneField = {
  content: ((value) => typeof value === 'string' || parts(value)) as Kind,
  outputDimensionality: numberField,
  taskType: textField,
  title: textField,
} as const

/** Returns the requests in a body of either kind. */
type Requests = (body: JsonObject) => unknown[]

function embeddings(
  name: string,
  action: string,
  headFields: Kinds,
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
  const asOpenai: OtherFormat = {
    dialect: openaiEmbeddings,
    write(body, model) {
      const request = asObject(parseJsonBytes(body)) ?? {}
      const input = listContents(request).map(joinTexts)
      const embedRequests = requests(request)
      const sizes = new Set(embedRequests.map((one) => asNumber(eitherField(one, 'outputDimensionality'))))
      if (sizes.size > 1) fail('request.untranslatable', { reason: 'several sizes in one request' })
      const [dimensions] = sizes
      const dropped = ['taskType', 'title'].filter((key) =>
        embedRequests.some((one) => eitherField(one, key) !== undefined),
      )
      const written = { model, input, encoding_format: 'float', ...(dimensions === undefined ? {} : { dimensions }) }
      return { body: jsonBytes(written), dropped }
    },
    read(answer) {
      const { data, usage } = asObject(parseJsonBytes(answer)) ?? {}
      const vectors = asList(data) ?? fail('upstream.unreadable')
      const placed = vectors.toSorted((a, b) => getIndex(a) - getIndex(b))
      return jsonBytes(
        write(
          placed.map((one) => ({ values: encodeVector(getMember(one, 'embedding'), 'float') })),
          usageFrom(usage),
        ),
      )
    },
  }
  const dialect: PassingDialect = {
    ...createPassthroughDialect({
      name,
      operation: 'embeddings',
      paths: [`/v1beta/models/{model}:${action}`],
      headFields,
      finding: FINDING,
      objects,
      head(request, place) {
        const tokens = listContents(request)
          .flat()
          .reduce<number>((sum, part) => sum + countTokens(part), 0)
        const model = plainModel(place?.model ?? '')
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
        const details = { promptTokensDetails: eitherField(usageMetadata, 'promptTokenDetails') }
        const usage = parseUsage(asObject(usageMetadata) && { ...details, ...asObject(usageMetadata) }, undefined)
        return usage ?? estimateTextUsage(head)
      },
    }),
    // Each request repeats the model, which must match the one in the address.
    patchRequest(body, change) {
      const patched = patchRequest(body, { ...change, implied: undefined, system: undefined })
      return withMember(patched, 'requests', (list) =>
        (asList(list) ?? []).map((one) => ({ ...asObject(one), model: `models/${change.model}` })),
      )
    },
    words: WORDS,
    readError,
    readDisguisedError: (body) => disguisedError(parseJsonBytes(body)),
    writeError,
    finalStatus: FINAL_STATUS,
    writeErrorFrame,
    withUsage: (answer, { input }) =>
      changeMembers(answer, new Map([['usageMetadata', jsonBytes({ promptTokenCount: input })]])),
    as: [asOpenai, ...(openaiEmbeddings.as ?? []).map((other) => translateTwice(asOpenai, other))],
  }
  return dialect
}

/** Translates to a format that only the second one is translated to. */
const translateTwice = (first: OtherFormat, second: OtherFormat): OtherFormat => ({
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
  const promptTokenCount = asNumber(getMember(usage, 'prompt_tokens')) ?? asNumber(getMember(usage, 'total_tokens'))
  return promptTokenCount === undefined ? undefined : { promptTokenCount }
}

const getIndex = (vector: unknown): number => asNumber(getMember(vector, 'index')) ?? 0

/** Joins the texts of the parts. */
const joinTexts = (parts: unknown[]): string =>
  parts
    .map(
      (part) => asText(getMember(part, 'text')) ?? fail('request.untranslatable', { reason: 'only text is embedded' }),
    )
    .join('')

export const geminiEmbedContent: PassingDialect = embeddings(
  'gemini-embed-content',
  'embedContent',
  oneField,
  (body) => [body],
  ([embedding], usageMetadata) => ({ embedding, usageMetadata }),
)

export const geminiBatchEmbedContents: PassingDialect = embeddings(
  'gemini-batch-embed-contents',
  'batchEmbedContents',
  { requests: [oneField] },
  (body) => asList(body.requests) ?? [],
  (all, usageMetadata) => ({ embeddings: all, usageMetadata }),
)
