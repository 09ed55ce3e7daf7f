// The most that a call may use, by what is asked for: tokens of text or of sound, characters, seconds, pictures.
import type { Usage } from '../dialects/usage.ts'
import type { RequestHead } from '../dialects/head.ts'
import { reasonsByDefault } from '../dialects/thinkers.ts'
import type { Operation } from '../models/operation.ts'
import type { Expected } from '../pricing/estimate.ts'
import { factsOf } from '../models/model-facts.ts'
import { durationTokens } from '../pricing/components.ts'
import type { Price } from '../pricing/price.ts'
import { dearerAsked } from '../pricing/priced-words.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'

/** An answer of a model whose longest nobody has told; one turn of a spoken conversation. Unit: tokens. */
const LONGEST_UNKNOWN = 16_384
const LONGEST_TURN = 4_096
/** Tokens of slow speech for a token of its text, and of fast speech written down for a second of it. */
const SPOKEN_PER_TOKEN = 16
const WRITTEN_PER_SECOND = 5
/** Tokens of the largest picture, by quality. */
const PICTURE: Record<string, number> = { low: 408, medium: 1584 }
const BEST_PICTURE = 6240

/** Models of OpenAI's that sell pictures and transcripts by the token; all others by the piece and by the second. */
const BY_TOKEN = /gpt/

/** Models whose limit of an answer covers what they think; that of others may leave it out. */
const LIMIT_COVERS_THINKING = /(?:^|\/)(?:claude|gemini|gpt-\d|o\d)/i
const ASKS_TO_THINK = /reasoning|thinking/i
/** A request that asks for thinking is given room for it: the least limit that it is sent with. Unit: tokens. */
const LEAST_THINKING_LIMIT = 4096

const decoder = new TextDecoder()

interface Asked {
  call: Pick<Call, 'inbound' | 'body' | 'place'>
  head: RequestHead
  price: Price
  /** The longest answer of the model, in tokens; 0 if it is not known. */
  longest: number
}

const nothing = () => ({})
const aTask = () => ({ input: 0, tasks: 1 })
const sound = (output: number) => ({ output, audio_out: output })

const BY_OPERATION: Record<Operation, (asked: Asked) => Partial<Usage>> = {
  chat({ call, head: { max_tokens, answers = 1 }, price, longest }) {
    const most = longest || LONGEST_UNKNOWN
    const output = Math.min(max_tokens ?? most, most) * Math.max(1, Math.ceil(answers))
    const speaks = price.kind === 'per_usage' && (price.audio_ratio ?? price.audio_completion_ratio) !== undefined
    return speaks && call.inbound.words.asksForSound(decoder.decode(call.body)) ? sound(output) : { output }
  },
  embeddings: nothing,
  moderation: nothing,
  rerank: nothing,
  images({ call, head: { model, prompt_estimate, images = { n: 1 } } }) {
    if (!BY_TOKEN.test(model)) return { images }
    const image_in = (call.place?.form?.files.length ?? 0) * BEST_PICTURE
    return {
      ...{ input: prompt_estimate + image_in, image_in },
      output: (PICTURE[images.quality ?? ''] ?? BEST_PICTURE) * images.n,
    }
  },
  speech: ({ head: { characters, prompt_estimate }, longest }) =>
    characters === undefined
      ? sound(Math.min(prompt_estimate * SPOKEN_PER_TOKEN, longest || Infinity))
      : { input: 0, characters },
  transcription({ head: { model, prompt_estimate, seconds = 0 } }) {
    if (!BY_TOKEN.test(model)) return { input: 0, seconds }
    const audio_in = durationTokens(seconds)
    return { input: prompt_estimate + audio_in, audio_in, output: Math.ceil(seconds) * WRITTEN_PER_SECOND }
  },
  drawing: aTask,
  music: aTask,
  video: ({ head: { video_seconds, film } }) => ({ input: 0, video_seconds, film }),
  realtime: ({ longest }) => sound(Math.min(longest || LONGEST_TURN, LONGEST_TURN)),
}

/** What a call uses at most, with its prompt as it is estimated. Of chats without a limit, as long as their model gives. */
export function getMaxUsage(
  call: Pick<Call, 'inbound' | 'body' | 'place'>,
  head: RequestHead,
  { price, listed, facts }: Pick<Admission, 'price' | 'listed' | 'facts'>,
): Expected {
  const longest = factsOf(listed, facts)?.output ?? 0
  const answer = BY_OPERATION[call.inbound.operation]({ call, head, price, longest })
  return { input: head.prompt_estimate, output: 0, ...answer, ...dearerAsked(head.words, price) }
}

/** The same with all that a model may think before its answer, which some limits leave out. */
export function greatestUsageWithThinking(
  call: Pick<Call, 'inbound' | 'body' | 'place'>,
  head: RequestHead,
  admission: Pick<Admission, 'price' | 'listed' | 'facts'>,
): Expected {
  const usage = getMaxUsage(call, head, admission)
  const { listed } = admission
  const mayThink = call.inbound.operation === 'chat' && (reasonsByDefault(listed) || asksToThink(call))
  if (!mayThink || head.max_tokens === undefined) return usage
  const unlimited = getMaxUsage(call, { ...head, max_tokens: undefined }, admission)
  const limit = LIMIT_COVERS_THINKING.test(listed) ? Math.max(usage.output, LEAST_THINKING_LIMIT) : Infinity
  return { ...usage, output: Math.min(unlimited.output, limit) }
}

const asksToThink = ({ body }: Pick<Call, 'body'>): boolean => ASKS_TO_THINK.test(decoder.decode(body))
