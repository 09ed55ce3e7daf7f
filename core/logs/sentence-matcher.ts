// Recognizes sentences that were stored in one language, to show them in the other. Provider texts are among the input,
// so every search takes time linear in the text.
import type { Language, Words } from '../errors.ts'

/** A sentence that a stored text is, and what fills its `{name}`s. */
interface Recognized<Name extends string> {
  name: Name
  given: Record<string, string>
  /** The text after it. */
  rest: string
  language: Language
}

/** The values that fit a `{name}`: any text, any text or none, or the match of a sticky pattern (flag `y`). */
export type TemplateFilling = 'text' | 'text or nothing' | RegExp

interface MatcherOptions {
  fillings?: (name: string) => TemplateFilling
  /** true if a reason may follow a sentence, after a colon. */
  mayHaveReason?: boolean
}

/** A `{name}` and the words up to the next one. */
interface TemplateField {
  name: string
  filling: TemplateFilling
  after: string
}

interface Sentence {
  before: string
  fields: TemplateField[]
}

const LANGUAGES = ['en', 'zh'] as const
const FIELD = /\{(\w+)\}/g
/** A longer text is not one of Weir's. Each sentence would be searched in all of it. */
const MOST_CHARACTERS = 8192
const REASON = ': '
const ENGLISH = /^[\s!-~]*$/

/** Creates a matcher for these sentences. If several match, the one with the most fixed text wins. */
export function createSentenceMatcher<Name extends string>(
  sentences: Readonly<Record<Name, Words>>,
  { fillings = () => 'text', mayHaveReason = false }: MatcherOptions = {},
): (text: string) => Recognized<Name> | null {
  const readSentences = (languages: readonly Language[]) =>
    (Object.entries(sentences) as [Name, Words][])
      .flatMap(([name, words]) => languages.map((language) => ({ name, language, words: words[language] })))
      // A sentence that has hardly any fixed text would match anything.
      .filter(({ words }) => /\p{L}{2}/u.test(words.replace(FIELD, '')))
      .sort((one, other) => other.words.replace(FIELD, '').length - one.words.replace(FIELD, '').length)
      .map(({ words, ...each }) => ({ ...each, sentence: readSentence(words, fillings) }))
  const isEnd = (text: string, at: number) => at === text.length || (mayHaveReason && text.startsWith(REASON, at))
  // Made when they are first wanted: of many sentences that takes some ms. The catalogues of other languages are read
  // only for a text with letters that English lacks.
  let english: ReturnType<typeof readSentences> | undefined
  let all: ReturnType<typeof readSentences> | undefined
  return (text) => {
    if (text === '' || text.length > MOST_CHARACTERS) return null
    const known = ENGLISH.test(text) ? (english ??= readSentences(['en'])) : (all ??= readSentences(LANGUAGES))
    for (const { name, language, sentence } of known) {
      const found = findFillings(text, sentence, isEnd)
      if (found) return { name, language, ...found }
    }
    return null
  }
}

function readSentence(words: string, fillings: (name: string) => TemplateFilling): Sentence {
  const [before = '', ...parts] = words.split(FIELD)
  const fields = parts.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, filling: fillings(name), after: parts[index + 1] ?? '' }] : [],
  )
  return { before, fields }
}

/**
 * Reads a text from left to right without backtracking: each field ends at the first place at which the next part can
 * begin.
 */
function findFillings(
  text: string,
  { before, fields }: Sentence,
  isEnd: (text: string, at: number) => boolean,
): Pick<Recognized<string>, 'given' | 'rest'> | null {
  if (!text.startsWith(before)) return null
  const given: Record<string, string> = {}
  let at = before.length
  for (const [index, { name, filling, after }] of fields.entries()) {
    // A field that may be empty gets nothing of what stands before it without words between.
    const follower = fields[index + 1]
    const isJoined = after === '' && follower?.filling === 'text or nothing'
    const next = isJoined ? fields[index + 2] : follower
    const canContinue = (place: number) => (next ? canBegin(text, place, next.filling) : isEnd(text, place))
    const earlier = given[name]
    const end =
      earlier === undefined
        ? findEnd(text, at, filling, isJoined ? follower.after : after, canContinue)
        : at + earlier.length
    if (end === -1 || (earlier !== undefined && !text.startsWith(earlier + after, at))) return null
    given[name] = text.slice(at, end)
    at = end + after.length
  }
  return isEnd(text, at) ? { given, rest: text.slice(at) } : null
}

/** Returns the end of a field that starts here; -1 if it cannot match. */
function findEnd(
  text: string,
  at: number,
  filling: TemplateFilling,
  after: string,
  canContinue: (place: number) => boolean,
): number {
  if (filling instanceof RegExp) {
    const end = at + lengthAt(text, at, filling)
    return end > at && text.startsWith(after, end) ? end : -1
  }
  const first = filling === 'text' ? at + 1 : at
  if (after === '') return canContinue(text.length) ? text.length : first
  for (let end = text.indexOf(after, first); end !== -1; end = text.indexOf(after, end + 1)) {
    if (canContinue(end + after.length)) return end
  }
  return -1
}

const canBegin = (text: string, at: number, filling: TemplateFilling): boolean =>
  filling instanceof RegExp ? lengthAt(text, at, filling) > 0 : filling === 'text or nothing' || at < text.length

function lengthAt(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** Translates a failure to the other language. Texts of providers stay as they are. */
export type TranslateFailure = (text: string, language: Language) => string

/** The prefix that an error adds to its message. */
const NAMED = /^GatewayError: /
/** Maximum depth of nested causes of a failure. */
const MOST_CAUSES = 4

/** @param sentences all of them, by any name */
export function createFailureTranslator(
  sentences: Readonly<Record<string, Words>>,
  fillings?: (name: string) => TemplateFilling,
): TranslateFailure {
  const find = createSentenceMatcher(sentences, { fillings })
  function translate(text: string, language: Language, causes: number): string {
    const found = causes > 0 ? find(text.replace(NAMED, '')) : null
    if (!found || found.language === language) return text
    // The field may be the failure that caused this one.
    return sentences[found.name]![language].replace(FIELD, (whole, name: string): string => {
      const filling = found.given[name]
      return filling === undefined ? whole : translate(filling, language, causes - 1)
    })
  }
  return (text, language) => translate(text, language, MOST_CAUSES)
}
