// Finds the properties of a request, other than its text, that affect its cost, by the patterns of its format. They are
// searched in the bytes: as keys, or as values such as a tool's type. Inside a text their quotes would be escaped.

/** The patterns of a format, as regular expressions without quotes, case-insensitive. */
interface Vocabulary {
  /** One image. */
  pictures: readonly string[]
  /**
   * Content that may be large although the request only refers to it: a file, a video, an earlier conversation, search
   * results.
   */
  files: readonly string[]
  /** Hosted tools: the model reads and processes their results in turns that are not visible here. */
  hostedTools: readonly string[]
  /** Keys that control reasoning. */
  thoughts: readonly string[]
  /** Keys that request output other than text. */
  mediaOut: readonly string[]
  /** Keys and values that request audio output. */
  sound: readonly string[]
}

export interface RequestCostScanner {
  /** Counts the images and the file references in a request. */
  countMedia(request: string): { pictures: number; files: number }
  /** May the provider run hosted tools? */
  mentionsHostedTools(request: string): boolean
  mentionsReasoning(request: string): boolean
  requestsMediaOutput(request: string): boolean
  requestsAudioOutput(request: string): boolean
}

export function createRequestCostScanner(words: Vocabulary): RequestCostScanner {
  const [pictures, files] = [quoted(words.pictures, 'gi'), quoted(words.files, 'gi')]
  const [hosted, sound] = [quoted(words.hostedTools, 'i'), quoted(words.sound, 'i')]
  const [thoughts, media] = [keys(words.thoughts), keys(words.mediaOut)]
  const times = (word: RegExp, request: string) => request.match(word)?.length ?? 0
  return {
    countMedia: (request) => ({ pictures: times(pictures, request), files: times(files, request) }),
    mentionsHostedTools: (request) => hosted.test(request),
    mentionsReasoning: (request) => thoughts.test(request),
    requestsMediaOutput: (request) => media.test(request),
    requestsAudioOutput: (request) => sound.test(request),
  }
}

const NEVER = '(?!)'
const buildAlternatives = (words: readonly string[]) => `"(?:${words.join('|') || NEVER})"`
// oxlint-disable-next-line weir/no-pattern-of-text -- the vocabularies are constants
const quoted = (words: readonly string[], flags: string) => new RegExp(buildAlternatives(words), flags)
// oxlint-disable-next-line weir/no-pattern-of-text -- the vocabularies are constants
const keys = (words: readonly string[]) => new RegExp(`${buildAlternatives(words)}\\s*:`, 'i')
