// Sentences that were stored in the language of whoever caused them, found again, so that they are told in the reader's.
import type { Language, Words } from '../errors.ts'

/** A sentence that a stored text is, and what fills its `{name}`s. */
interface Recognized<Name extends string> {
  name: Name
  given: Record<string, string>
  /** What stands behind it. */
  rest: string
  language: Language
}

interface Options {
  /** What the `{name}`s may stand for, as patterns; anything where none is said. */
  fills?: (name: string) => string
  /** What may stand behind a sentence, as a pattern. */
  ending?: string
}

const LANGUAGES = ['en', 'zh'] as const
const FIELD = /\{\w+\}/g

/** Looks a text up among sentences. Where it could be several, it is the one that says most itself. */
export function retelling<Name extends string>(
  sentences: Readonly<Record<Name, Words>>,
  { fills = () => '.+', ending = '' }: Options = {},
): (text: string) => Recognized<Name> | null {
  const patterns = () =>
    (Object.entries(sentences) as [Name, Words][])
      .flatMap(([name, words]) => LANGUAGES.map((language) => ({ name, language, words: words[language] })))
      // What is little more than what fills it is found in anything.
      .filter(({ words }) => /\p{L}{2}/u.test(words.replace(FIELD, '')))
      .sort((one, other) => other.words.replace(FIELD, '').length - one.words.replace(FIELD, '').length)
      .map(({ words, ...each }) => ({ ...each, pattern: patternOf(words, fills, ending) }))
  // Made when they are first wanted: of many sentences that takes some ms.
  let known: ReturnType<typeof patterns> | undefined
  return (text) => {
    for (const { name, language, pattern } of (known ??= patterns())) {
      const { rest = '', ...given } = pattern.exec(text)?.groups ?? { rest: null }
      if (rest !== null) return { name, language, given, rest }
    }
    return null
  }
}

function patternOf(words: string, fills: (name: string) => string, ending: string): RegExp {
  const seen = new Set<string>()
  const pattern = words
    .split(/(\{\w+\})/)
    .map((part) => {
      const field = /^\{(\w+)\}$/.exec(part)?.[1]
      if (field === undefined) return part.replace(/[$().*+?^[\]{|}\\]/g, '\\$&')
      if (seen.has(field)) return `\\k<${field}>`
      seen.add(field)
      return `(?<${field}>${fills(field)})`
    })
    .join('')
  return new RegExp(`^${pattern}(?<rest>${ending})$`, 's')
}

/** What a failure says in the other language; what a provider has said, or nobody here, stays as it is. */
export type FailureTeller = (text: string, language: Language) => string

/** As an error says itself. */
const NAMED = /^GatewayError: /

/** @param sentences all of them, by any name */
export function failureTeller(sentences: Readonly<Record<string, Words>>): FailureTeller {
  const find = retelling(sentences)
  function told(text: string, language: Language): string {
    const found = find(text.replace(NAMED, ''))
    if (!found || found.language === language) return text
    // What fills it may be the failure that it was caused by.
    return sentences[found.name]![language].replace(/\{(\w+)\}/g, (whole, name: string): string => {
      const filling = found.given[name]
      return filling === undefined ? whole : told(filling, language)
    })
  }
  return told
}
