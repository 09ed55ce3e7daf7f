// Rerank, introduced by Jina and Cohere and adopted by others: a question and documents in, an order out.
import { fail } from '../../errors.ts'
import { estimateTextTokens, estimateValueTokens } from '../requests/head.ts'
import { changeTopMembers, toJsonBytes } from '../json/json-bytes.ts'
import { asList, getMember, asObject, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'
import { decodeLatin1 } from '../json/json-text.ts'
import { parseInputUsage, createPassthroughDialect, buildPlainHead } from '../passing.ts'
import { textOrObject } from '../requests/shape.ts'

export const rerank = createPassthroughDialect({
  name: 'rerank',
  operation: 'rerank',
  paths: ['/v1/rerank'],
  headFields: { query: textOrObject, documents: [textOrObject] },
  head({ model, query, documents }) {
    const list = asList(documents)
    if (query === undefined || query === null || query === '')
      fail('request.invalid', { param: 'query', reason: 'query is required' })
    if (!list || list.length === 0) fail('request.invalid', { param: 'documents', reason: 'documents is required' })
    return buildPlainHead(
      model,
      [query, ...list].reduce<number>((sum, one) => sum + countTokens(one), 0),
    )
  },
  texts(body) {
    const { query, documents } = parseJsonBytes(body) as JsonObject
    const texts = [query, ...(asList(documents) ?? [])].map(getText)
    return texts.every((text) => text !== undefined) ? texts : []
  },
  // SiliconFlow and Cohere report tokens in `meta`, if at all.
  usageKeys: ['usage', 'meta'],
  usageOf: ({ usage, meta }, head) =>
    parseInputUsage(usage ?? getMember(meta, 'tokens') ?? getMember(meta, 'billed_units'), head),
  fitAnswer,
})

/** The members with the order. The second is Voyage's. */
const LISTS = ['results', 'data']

/**
 * Corrects an answer. Some servers send null for documents that the caller did not request, which clients do not
 * expect.
 */
function fitAnswer(answer: Uint8Array): Uint8Array {
  if (!/"document"\s*:\s*null/.test(decodeLatin1(answer))) return answer
  const members = asObject(parseJsonBytes(answer)) ?? {}
  const changes = LISTS.flatMap((name): [string, Uint8Array][] => {
    const list = asList(members[name])
    return list ? [[name, toJsonBytes(list.map(withoutNull))]] : []
  })
  return changeTopMembers(answer, new Map(changes))
}

function withoutNull(result: unknown): unknown {
  if (getMember(result, 'document') !== null) return result
  const { document: _, ...rest } = asObject(result) ?? {}
  return rest
}

/** Returns the text of a document: a string, or an object that has one. */
const getText = (document: unknown): string | undefined => asText(document) ?? asText(getMember(document, 'text'))

const countTokens = (document: unknown): number => {
  const text = getText(document)
  return text === undefined ? estimateValueTokens(document) : estimateTextTokens(text)
}
