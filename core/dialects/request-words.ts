// What a request says of its cost beside its text, by the words that a format has for it. Words are looked for in the
// bytes: as keys, or as values such as a tool's type. Inside a text their quotes would be escaped.

/** A format's own words, as regular expressions without quotes; upper and lower case are the same. */
interface Vocabulary {
  /** One picture. */
  pictures: readonly string[]
  /** What may be large though the request only points at it: a file, a film, an earlier conversation, what a search finds. */
  files: readonly string[]
  /** Tools that the provider runs itself: what they find is read and thought about in turns that nobody here has seen. */
  hostedTools: readonly string[]
  /** Keys that say how hard to think. */
  thoughts: readonly string[]
  /** Keys that say what an answer may be made of beside text. */
  mediaOut: readonly string[]
  /** The answer is to be sound too. */
  sound: readonly string[]
}

export interface RequestWords {
  /** How often a request holds a picture, and how often it points at a file. */
  mediaIn(request: string): { pictures: number; files: number }
  /** May the provider run tools of its own? */
  namesHostedTools(request: string): boolean
  speaksOfThinking(request: string): boolean
  asksForMedia(request: string): boolean
  asksForSound(request: string): boolean
}

export function requestWords(words: Vocabulary): RequestWords {
  const [pictures, files] = [quoted(words.pictures, 'gi'), quoted(words.files, 'gi')]
  const [hosted, sound] = [quoted(words.hostedTools, 'i'), quoted(words.sound, 'i')]
  const [thoughts, media] = [keys(words.thoughts), keys(words.mediaOut)]
  const times = (word: RegExp, request: string) => request.match(word)?.length ?? 0
  return {
    mediaIn: (request) => ({ pictures: times(pictures, request), files: times(files, request) }),
    namesHostedTools: (request) => hosted.test(request),
    speaksOfThinking: (request) => thoughts.test(request),
    asksForMedia: (request) => media.test(request),
    asksForSound: (request) => sound.test(request),
  }
}

const NEVER = '(?!)'
const anyOf = (words: readonly string[]) => `"(?:${words.join('|') || NEVER})"`
// oxlint-disable-next-line weir/no-pattern-of-text -- the vocabularies are constants
const quoted = (words: readonly string[], flags: string) => new RegExp(anyOf(words), flags)
// oxlint-disable-next-line weir/no-pattern-of-text -- the vocabularies are constants
const keys = (words: readonly string[]) => new RegExp(`${anyOf(words)}\\s*:`, 'i')
