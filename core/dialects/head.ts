// What is known of a request before it is taken apart: enough to admit, price and place its call.
import { asNumber } from './json-value.ts'
import { kind, type Kind } from './shape.ts'
import type { VectorEncoding } from './vectors.ts'
import type { NamedObject } from './object-places.ts'
import type { Usage } from './usage.ts'
import type { PriceWord } from './price-words.ts'
import type { ToolForms } from './tool-forms.ts'

/** More is refused (docs/billing.md, 2). Unit: tokens. */
const MAX_TOKENS = 1073741823

/** How long an answer may be, in tokens; `read` is how the format has numbers. */
export const tokenLimit = (read: (value: unknown) => number | undefined = asNumber): Kind =>
  kind(`a whole number from 0 to ${MAX_TOKENS}`, (value) => {
    const limit = read(value)
    return limit !== undefined && Number.isInteger(limit) && limit >= 0 && limit <= MAX_TOKENS
  })

/** The little of a request that a call needs when its bytes pass through. */
export interface RequestHead {
  model: string
  /** The name that its caller gave, where channels list the model under another, which is then `model`. */
  asked?: string
  stream: boolean
  /** Largest answer asked for, in tokens. */
  max_tokens?: number
  /** How many answers are asked for. */
  answers?: number
  /** Did the caller ask for usage at the end of a stream? */
  include_usage: boolean
  /** A rough count of the prompt's tokens, at least 1 (docs/billing.md, 12). */
  prompt_estimate: number
  /** A session or user that the caller names; read of long prompts only. */
  session?: string
  /** Hash of the prompt's first characters; of long prompts only. */
  prefix?: number
  /** Of speech synthesis: Unicode characters of the text. */
  characters?: number
  /** Of speech synthesis: how the sound is to be packed; mp3 where it is not said. */
  sound_format?: string
  /** Of transcription: the length of the audio, and how it is known. */
  seconds?: number
  seconds_by?: 'sound_length' | 'sound_size'
  /** Of a film to be made: its length, and what of it makes its price. */
  video_seconds?: number
  film?: Usage['film']
  /** Of other work that a provider does in its own time. */
  tasks?: number
  /** How vectors are to be written; undefined where they are of another kind than floats. */
  vectors?: VectorEncoding
  /** Images asked for. */
  images?: NonNullable<Usage['images']>
  /** The earlier answer that it goes on with, as its provider keeps it. */
  continues?: string
  /** It holds a conversation that Weir has summed up and encrypted. */
  summed?: true
  /** A conversation that a provider has summed up and encrypted: only the account that made it can read it. */
  compaction?: string
  /** The conversation is to be summed up before the answer where its prompt has more tokens than this. */
  compacts_above?: number | undefined
  /** The answer is the conversation, summed up. */
  compacts?: true
  /** Encrypts a text that the caller keeps, so that nobody else can have it opened. */
  encrypt?: (text: string) => string
  /** It holds items of earlier answers by their ids alone. */
  refers?: true
  /** Objects of a provider's own that it names. */
  objects?: readonly NamedObject[]
  /** Its provider keeps the conversation under the answer's id. */
  threads?: true
  /** The answer is to be kept, by its provider or by Weir. */
  keeps?: boolean
  /** The id under which Weir keeps the answer. */
  kept_as?: string
  /** Nobody waits for the answer: it is asked for later, by its id. */
  deferred?: true
  /** It holds proofs of thought that no provider of this format has given. */
  borrowed?: true
  /** The last proof of thought that it holds: only the account that made it takes it back. */
  proof?: string
  /** It goes on without any proof of thought: nobody is left who takes them. */
  forgets?: true
  /** Tools that this format has more words for than functions: so their calls are answered. */
  tool_forms?: ToolForms
  /** It declares functions that the model may call. */
  calls?: boolean
  /** It asks for the provider's own search. */
  searches?: boolean
  /** The caller asks to see what the model thinks, or its proofs. */
  shows_thoughts?: boolean
  /** How hard the model is to think, where the caller says so in a word. */
  effort?: string
  /** Words that its price may depend on, as they came. */
  words?: readonly PriceWord[]
  /** What an answer of this format repeats of the request. */
  repeated?: Record<string, unknown>
}

/** The name by which the model was asked for. */
export const askedModel = ({ model, asked = model }: Pick<RequestHead, 'model' | 'asked'>): string => asked
