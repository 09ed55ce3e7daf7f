// Sentences that were stored in one language, found again, so that a reader sees them in the other. Texts of providers are
// among what is looked at, so every search takes time that grows with the text alone.
import type { Language, Words } from '../errors.ts'

/** A sentence that a stored text is, and what fills its `{name}`s. */
interface Recognized<Name extends string> {
  name: Name
  given: Record<string, string>
  /** What stands behind it. */
  rest: string
  language: Language
}

/** What may fill a `{name}`: any text of some length, any text or none, or what a pattern (with the flag `y`) takes. */
export type Filling = 'text' | 'text or nothing' | RegExp

interface Options {
  fillings?: (name: string) => Filling
  /** A reason may stand behind a sentence, after a colon. */
  mayHaveReason?: boolean
}

/** A `{name}` and the words up to the next one. */
interface Field {
  name: string
  filling: Filling
  after: string
}

interface Sentence {
  before: string
  fields: Field[]
}

const LANGUAGES = ['en', 'zh'] as const
const FIELD = /\{(\w+)\}/g
/** A longer text is none of ours: all of it would be searched for each sentence. */
const MOST_CHARACTERS = 8192
const REASON = ': '

/** Looks a text up among sentences. Where it could be several, it is the one that says most itself. */
export function createSentenceMatcher<Name extends string>(
  sentences: Readonly<Record<Name, Words>>,
  { fillings = () => 'text', mayHaveReason = false }: Options = {},
): (text: string) => Recognized<Name> | null {
  const readSentences = () =>
    (Object.entries(sentences) as [Name, Words][])
      .flatMap(([name, words]) => LANGUAGES.map((language) => ({ name, language, words: words[language] })))
      // What is little more than what fills it is found in anything.
      .filter(({ words }) => /\p{L}{2}/u.test(words.replace(FIELD, '')))
      .sort((one, other) => other.words.replace(FIELD, '').length - one.words.replace(FIELD, '').length)
      .map(({ words, ...each }) => ({ ...each, sentence: readSentence(words, fillings) }))
  const isEnd = (text: string, at: number) => at === text.length || (mayHaveReason && text.startsWith(REASON, at))
  // Made when they are first wanted: of many sentences that takes some ms.
  let known: ReturnType<typeof readSentences> | undefined
  return (text) => {
    if (text.length > MOST_CHARACTERS) return null
    for (const { name, language, sentence } of (known ??= readSentences())) {
      const found = findFillings(text, sentence, isEnd)
      if (found) return { name, language, ...found }
    }
    return null
  }
}

function readSentence(words: string, fillings: (name: string) => Filling): Sentence {
  const [before = '', ...parts] = words.split(FIELD)
  const fields = parts.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, filling: fillings(name), after: parts[index + 1] ?? '' }] : [],
  )
  return { before, fields }
}

/** Reads a text from left to right and never goes back: each field ends at the first place at which the next can begin. */
function findFillings(
  text: string,
  { before, fields }: Sentence,
  isEnd: (text: string, at: number) => boolean,
): Pick<Recognized<string>, 'given' | 'rest'> | null {
  if (!text.startsWith(before)) return null
  const given: Record<string, string> = {}
  let at = before.length
  for (const [index, { name, filling, after }] of fields.entries()) {
    const next = fields[index + 1]
    const goesOn = (place: number) => (next ? canBegin(text, place, next.filling) : isEnd(text, place))
    const earlier = given[name]
    const end = earlier === undefined ? findEnd(text, at, filling, after, goesOn) : at + earlier.length
    if (end === -1 || (earlier !== undefined && !text.startsWith(earlier + after, at))) return null
    given[name] = text.slice(at, end)
    at = end + after.length
  }
  return isEnd(text, at) ? { given, rest: text.slice(at) } : null
}

/** Where a field that begins here ends; -1 where it cannot. */
function findEnd(
  text: string,
  at: number,
  filling: Filling,
  after: string,
  goesOn: (place: number) => boolean,
): number {
  if (filling instanceof RegExp) {
    const end = at + lengthAt(text, at, filling)
    return end > at && text.startsWith(after, end) ? end : -1
  }
  const first = filling === 'text' ? at + 1 : at
  if (after === '') return goesOn(text.length) ? text.length : first
  for (let end = text.indexOf(after, first); end !== -1; end = text.indexOf(after, end + 1)) {
    if (goesOn(end + after.length)) return end
  }
  return -1
}

const canBegin = (text: string, at: number, filling: Filling): boolean =>
  filling instanceof RegExp ? lengthAt(text, at, filling) > 0 : filling === 'text or nothing' || at < text.length

function lengthAt(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** What a failure says in the other language; what a provider has said, or nobody here, stays as it is. */
export type TranslateFailure = (text: string, language: Language) => string

/** As an error says itself. */
const NAMED = /^GatewayError: /
/** A failure may say what caused it, and that again. */
const MOST_CAUSES = 4

/** @param sentences all of them, by any name */
export function failureTeller(sentences: Readonly<Record<string, Words>>): TranslateFailure {
  const find = createSentenceMatcher(sentences)
  function told(text: string, language: Language, causes: number): string {
    const found = causes > 0 ? find(text.replace(NAMED, '')) : null
    if (!found || found.language === language) return text
    // What fills it may be the failure that it was caused by.
    return sentences[found.name]![language].replace(FIELD, (whole, name: string): string => {
      const filling = found.given[name]
      return filling === undefined ? whole : told(filling, language, causes - 1)
    })
  }
  return (text, language) => told(text, language, MOST_CAUSES)
}
