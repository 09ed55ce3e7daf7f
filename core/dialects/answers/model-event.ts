// The events of a model's answer in neutral form: read from every provider's format, written in every caller's.
import type { Usage } from './usage.ts'
import type { CallFailure } from './call-failure.ts'

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** A range of the whole text of an answer, in UTF-16 code units (end exclusive). */
export interface TextRange {
  start: number
  end: number
}

/** A token and its log probability (natural logarithm). */
export interface TokenProbability {
  token: string
  logprob: number
  /** Bytes of the token, which may be part of a character; undefined means its text in UTF-8. */
  bytes?: number[]
}

/** An output token, and the most likely ones at its position. */
export interface OutputTokenLogprobs extends TokenProbability {
  top_logprobs: TokenProbability[]
}

/** A page that a search found; `sealed` is its encrypted content, which only the provider can read. */
export interface SearchResultPage {
  url: string
  title?: string
  sealed?: string
}

/** An event of a model's answer. `choice` is the index of the answer if several were requested. */
export type ModelEvent =
  | { type: 'start'; id: string; model: string; created: number }
  /**
   * May have the provider's signature of the reasoning before it, as a call may; that of the whole text may come at its
   * end.
   */
  /** Log probabilities are present if requested. Tokens that form no character come without text. */
  | { type: 'text'; text: string; choice: number; signature?: string; logprobs?: OutputTokenLogprobs[] }
  | { type: 'refusal'; text: string; choice: number }
  | { type: 'reasoning'; text: string; choice: number; signature?: string; redacted?: boolean }
  | {
      type: 'tool_call'
      index: number
      choice: number
      id?: string
      name?: string
      arguments: string
      signature?: string
      /** The arguments are plain text for a free-form tool. */
      freeform?: true
    }
  /** A generated image: a URL or a `data:` URL. */
  | { type: 'image'; url: string; choice: number }
  /** Generated audio, base64. */
  | { type: 'audio'; data: string; format: string; choice: number }
  /**
   * A citation of a range of the text, if the provider reports one, with the text there; otherwise of the text before
   * it.
   */
  | { type: 'citation'; url: string; title?: string; choice: number; at?: TextRange; words?: string }
  /** A search that the provider ran itself. */
  | { type: 'search'; query?: string; pages: SearchResultPage[]; choice: number }
  /** `odd`: the reason is an error of the model or the server, not a regular end. */
  | { type: 'finish'; reason: FinishReason; choice: number; stop_sequence?: string; odd?: true }
  | { type: 'usage'; usage: Usage }
  | { type: 'failure'; failure: CallFailure }
  /** The end mark of the stream; `at` is its time, in epoch seconds. */
  | { type: 'end'; at?: number }

// The text of an answer so far, used to convert citation ranges: some formats count characters, others bytes. All of it
// is retained, because a citation may come at the end.

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const countBytes = (text: string): number => encoder.encode(text).length

export class StreamedText {
  private text = ''

  add(more: string): void {
    this.text += more
  }

  /** Returns the text of a range (UTF-16). */
  words({ start, end }: TextRange): string {
    return this.text.slice(start, end)
  }

  /** Converts a range of characters to one of bytes. */
  bytesOf({ start, end }: TextRange): TextRange {
    const before = countBytes(this.text.slice(0, start))
    return { start: before, end: before + countBytes(this.text.slice(start, end)) }
  }

  /**
   * Converts a range of bytes to one of characters. If the quoted text is given, it takes precedence over the numbers,
   * which some servers count from the start of a part; undefined if there is no such range.
   */
  ofBytes({ start, end }: TextRange, words?: string): TextRange | undefined {
    const bytes = encoder.encode(this.text)
    const from = decoder.decode(bytes.subarray(0, start)).length
    const found = decoder.decode(bytes.subarray(start, end))
    if (words === undefined || found === words) return end <= bytes.length ? toRange(from, found.length) : undefined
    return toRange(this.text.indexOf(words), words.length)
  }
}

const toRange = (start: number, length: number): TextRange | undefined =>
  start < 0 || length === 0 ? undefined : { start, end: start + length }
