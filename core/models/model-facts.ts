// What is known of a model by its name alone, whoever serves it: how much it reads and writes, when it came, what it does.
import type { Operation } from './operation.ts'
import { facts } from './model-facts.data.ts'
import { dayOf, plainName } from './same-model.ts'
import { snapshots } from './snapshots.data.ts'

export interface ModelFacts {
  /** Most of prompt and answer together; 0 where its vendor does not say. Unit: tokens. */
  context: number
  /** Most of one answer; 0 where its vendor does not say. Unit: tokens. */
  output: number
  /** The day its vendor released it, as `2025-11-24`; empty where it is not known. */
  released: string
  /** What is asked of it. */
  kind: Operation
}

/** A cloud's or a gateway's own words before and behind a vendor's name (`us.anthropic.…-v1:0`, `openai/…`, `…@20250514`). */
const around = /^(?:[\w.-]+\/)*(?:[a-z-]+\.)?(?:anthropic\.|models\/)?(.+?)(?:-v\d+(?::\d+)?|@\w+|:\w+)?$/

/** What is known of a model; of a dated name, what is known of the plain one. Undefined of names nobody has declared. */
export function factsOf(model: string): ModelFacts | undefined {
  const declared = known.get(model)
  if (declared) return declared
  const plain = around.exec(model)?.[1] ?? model
  return known.get(plain) ?? known.get(plainName(plain))
}

const known: ReadonlyMap<string, ModelFacts> = new Map(
  facts.map(([name, context, output, released, kind = 'chat']) => [name, { context, output, released, kind }]),
)

/** What models that do not chat are called. Gemini's make pictures and speech in a chat. */
const kinds: readonly [called: RegExp, kind: Operation][] = [
  [/^(mj_|swap_face$)/i, 'drawing'],
  [/^suno_/i, 'music'],
  [
    /^(sora|veo|kling|vidu|hailuo|minimax-(hailuo|h\d)|t2v-|i2v-|s2v-|gen\d|jimeng|.*seedance|wan[x\d].*([ti2]+v|-video)|sandbox-film)/i,
    'video',
  ],
  [/rerank/i, 'rerank'],
  [/embed|bge-|^m3e/i, 'embeddings'],
  [/moderation/i, 'moderation'],
  [/realtime|-live-|native-audio/i, 'realtime'],
  [/^gemini/i, 'chat'],
  [/dall-e|gpt-image|imagen|cogview|flux|stable-diffusion|seedream|wanx|qwen-image|kolors/i, 'images'],
  [/whisper|transcribe|-asr\b/i, 'transcription'],
  [/\btts\b|speech-/i, 'speech'],
]

/** What is asked of a model: as declared, else as it is called. */
export const kindOf = (model: string): Operation =>
  factsOf(model)?.kind ?? kinds.find(([called]) => called.test(model))?.[1] ?? 'chat'

/** The day of a model's release, as `2025-11-24`; empty where it is not known. One of several snapshots names its own. */
export function releasedOf(model: string): string {
  const facts = known.get(model) ?? (snapshots.has(plainName(model)) && dayOf(model) ? undefined : factsOf(model))
  return facts?.released || (dayOf(model) ?? '')
}
