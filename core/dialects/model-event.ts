// What a model's answer says, in no format's words: read of every provider's, written in every caller's.
import type { Usage } from './usage.ts'
import type { CallFailure } from './call-failure.ts'

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** A place in all the text of one answer: letters as JavaScript counts them (UTF-16), the end not included. */
export interface TextRange {
  start: number
  end: number
}

/** How likely a model held a token: the natural logarithm of that. */
export interface TokenChance {
  token: string
  logprob: number
  /** Of the token, which may be a part of a letter; where they are missing, those of its text in UTF-8. */
  bytes?: number[]
}

/** A token that was said, and the likeliest in its place. */
export interface TokenLogprob extends TokenChance {
  top_logprobs: TokenChance[]
}

/** A page that a search found; `sealed` is its content as the provider alone can read it. */
export interface FoundPage {
  url: string
  title?: string
  sealed?: string
}

/** One thing a model's answer says. `choice` counts the answers when several were asked for. */
export type ModelEvent =
  | { type: 'start'; id: string; model: string; created: number }
  /** With the provider's proof of the thought that led to it, as at a call; that of all the text may come with its end. */
  /** Tokens are told where they were asked for; some make no letter by themselves, and come without text. */
  | { type: 'text'; text: string; choice: number; signature?: string; logprobs?: TokenLogprob[] }
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
      /** The arguments are a text as it is, of a tool that takes one. */
      freeform?: true
    }
  /** A picture that was made: an address or a `data:` URL. */
  | { type: 'image'; url: string; choice: number }
  /** Sound that was made, base64. */
  | { type: 'audio'; data: string; format: string; choice: number }
  /** A source: of a place in the text, where the provider names one, with the words there; else of the text before it. */
  | { type: 'citation'; url: string; title?: string; choice: number; at?: TextRange; words?: string }
  /** A search that the provider made by itself. */
  | { type: 'search'; query?: string; pages: FoundPage[]; choice: number }
  /** `odd`: the reason is an error of the model or the server, not a regular end. */
  | { type: 'finish'; reason: FinishReason; choice: number; stop_sequence?: string; odd?: true }
  | { type: 'usage'; usage: Usage }
  | { type: 'failure'; failure: CallFailure }
  /** The end mark of the stream; `at`: when it came, in epoch seconds. */
  | { type: 'end'; at?: number }
