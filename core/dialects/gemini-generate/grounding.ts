// Reads and writes the citations of an answer: Google lists the sources once, and next to them the text that each
// supports.
import type { Usage } from '../answers/usage.ts'
import { type SearchResultPage, type ModelEvent, type TextRange, StreamedText } from '../answers/model-event.ts'
import { asList, asFiniteNumber, asText, type JsonObject } from '../json/json-value.ts'
import { getEitherSpelling } from './fields.ts'

type CitationEvent = Extract<ModelEvent, { type: 'citation' }>

/**
 * Counts the searches that Google ran for one answer: each query once, since later chunks repeat them, and the grounded
 * prompt. The model's price decides which of the two is charged.
 */
export function createSearchCounter(): (candidates: readonly unknown[]) => Usage['calls'] {
  const queries = new Set<string>()
  let calls: Usage['calls']
  return (candidates) => {
    const before = queries.size
    for (const candidate of candidates) {
      for (const query of asList(
        getEitherSpelling(getEitherSpelling(candidate, 'groundingMetadata'), 'webSearchQueries'),
      ) ?? []) {
        if (asText(query)) queries.add(String(query))
      }
    }
    if (queries.size > before) calls = { google_search: queries.size, google_search_prompt: 1 }
    return calls
  }
}

type Search = Extract<ModelEvent, { type: 'search' }>

/** Reads the searches of one candidate, reported when it ends, since later chunks repeat queries and pages. */
export function createSearchReader(): (candidate: unknown, ends: boolean) => Omit<Search, 'choice'>[] {
  const queries = new Set<string>()
  const pages = new Map<string, SearchResultPage>()
  let isReported = false
  return (candidate, ends) => {
    const grounding = getEitherSpelling(candidate, 'groundingMetadata')
    for (const query of asList(getEitherSpelling(grounding, 'webSearchQueries')) ?? []) {
      if (asText(query)) queries.add(String(query))
    }
    for (const chunk of asList(getEitherSpelling(grounding, 'groundingChunks')) ?? []) {
      const url = asText(getEitherSpelling(getEitherSpelling(chunk, 'web'), 'uri'))
      const title = asText(getEitherSpelling(getEitherSpelling(chunk, 'web'), 'title'))
      if (url) pages.set(url, { url, ...(title ? { title } : {}) })
    }
    if (!ends || isReported || queries.size === 0) return []
    isReported = true
    // Google does not report which query found which page.
    return [...queries].map((query, at) => ({ type: 'search', query, pages: at === 0 ? [...pages.values()] : [] }))
  }
}

/** Reads the citations of one candidate, each once, since later chunks repeat them. `said` is its text so far. */
export function createSourceReader(answerText: StreamedText): (candidate: unknown) => Omit<CitationEvent, 'choice'>[] {
  const reported = new Set<string>()
  const sources = new Set<string>()

  function* listSources(candidate: unknown): Generator<Omit<CitationEvent, 'choice'>> {
    const grounding = getEitherSpelling(candidate, 'groundingMetadata')
    const chunks = (asList(getEitherSpelling(grounding, 'groundingChunks')) ?? []).map((chunk) =>
      parseSource(
        getEitherSpelling(chunk, 'web') ??
          getEitherSpelling(chunk, 'maps') ??
          getEitherSpelling(chunk, 'retrievedContext'),
      ),
    )
    for (const support of asList(getEitherSpelling(grounding, 'groundingSupports')) ?? []) {
      const place = parseSegment(getEitherSpelling(support, 'segment'), answerText)
      for (const index of asList(getEitherSpelling(support, 'groundingChunkIndices')) ?? []) {
        const source = chunks[asFiniteNumber(index) ?? -1]
        if (!source) continue
        sources.add(source.url)
        yield { ...source, ...place }
      }
    }
    // Sources that support no particular text.
    for (const source of chunks) if (source && !sources.has(source.url)) yield source
    const quoted = getEitherSpelling(candidate, 'citationMetadata')
    for (const one of asList(getEitherSpelling(quoted, 'citationSources')) ??
      asList(getEitherSpelling(quoted, 'citations')) ??
      []) {
      const source = parseSource(one)
      if (source) yield { ...source, ...parseSegment(one, answerText) }
    }
  }

  return (candidate) =>
    [...listSources(candidate)].filter(({ url, at }) => {
      const key = `${at?.start}-${at?.end} ${url}`
      const known = reported.has(key)
      reported.add(key)
      return !known
    })
}

function parseSource(source: unknown): Omit<CitationEvent, 'choice'> | undefined {
  const url = asText(getEitherSpelling(source, 'uri'))
  const title = asText(getEitherSpelling(source, 'title'))
  return url ? { type: 'citation', url, ...(title ? { title } : {}) } : undefined
}

/** Returns the text range of a segment, counted in bytes; nothing if the segment has no end. */
function parseSegment(segment: unknown, answerText: StreamedText): Pick<CitationEvent, 'at' | 'words'> {
  const end = asFiniteNumber(getEitherSpelling(segment, 'endIndex'))
  if (end === undefined) return {}
  const at = answerText.ofBytes(
    { start: asFiniteNumber(getEitherSpelling(segment, 'startIndex')) ?? 0, end },
    asText(getEitherSpelling(segment, 'text')),
  )
  return at ? { at, words: answerText.words(at) } : {}
}

/** Collects the citations of one candidate, written when its text is complete. */
export interface CitationCollector {
  say(text: string): void
  cite(citation: CitationEvent): void
  /** Returns the member with the citations; empty if there are none. */
  written(): JsonObject
}

export function createCitationCollector(): CitationCollector {
  const answerText = new StreamedText()
  const cited: CitationEvent[] = []
  return {
    say: (text) => answerText.add(text),
    cite: (citation) => void cited.push(citation),
    written() {
      if (cited.length === 0) return {}
      const chunks = new Map(cited.map(({ url, title }) => [url, { web: { uri: url, title: title ?? getHost(url) } }]))
      const urls = [...chunks.keys()]
      const supports = new Map<string, { at: TextRange; urls: Set<string> }>()
      for (const { at, url } of cited) {
        if (!at) continue
        const key = `${at.start}-${at.end}`
        const support = supports.get(key) ?? { at, urls: new Set<string>() }
        supports.set(key, support)
        support.urls.add(url)
      }
      const groundingSupports = [...supports.values()].map((support) => ({
        segment: writeSegment(support.at, answerText),
        groundingChunkIndices: [...support.urls].map((url) => urls.indexOf(url)),
      }))
      const more = groundingSupports.length > 0 ? { groundingSupports } : {}
      return { groundingMetadata: { groundingChunks: [...chunks.values()], ...more } }
    },
  }
}

/** Google uses the host as the title of a page. */
const getHost = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url)

function writeSegment(at: TextRange, answerText: StreamedText): JsonObject {
  const { start, end } = answerText.bytesOf(at)
  return { startIndex: start, endIndex: end, text: answerText.words(at) }
}
