// The kind of a model by its name alone: for models that no list describes, and for lists that do not state the kind.
import type { Operation } from './operation.ts'

/** Names of models that do not chat. Gemini's models make pictures and speech in a chat. */
const kinds: readonly [called: RegExp, kind: Operation][] = [
  [/^(mj_|swap_face$)/i, 'drawing'],
  [/^suno_/i, 'music'],
  [
    /^(sora|veo|kling|vidu|hailuo|minimax-(hailuo|h\d)|t2v-|i2v-|s2v-|gen\d|jimeng|.*seedance|happyhorse|grok-imagine-video|aleph\d|wan[x\d].*([ti2]+v|-video)|sandbox-film)/i,
    'video',
  ],
  [/rerank/i, 'rerank'],
  [/embed|^embo-|bge-|^m3e|^voyage-/i, 'embeddings'],
  [/moderation/i, 'moderation'],
  [/realtime|-live\b|native-audio/i, 'realtime'],
  [/^gemini/i, 'chat'],
  [
    /dall-e|gpt-image|imagen|cogview|flux|stable-diffusion|seedream|wanx|qwen-image|kolors|imagine-image|t2i/i,
    'images',
  ],
  [/whisper|transcribe|-asr\b/i, 'transcription'],
  [/\btts\b|speech-/i, 'speech'],
]

/** Returns the kind of models with such a name; undefined if the name does not show it, as for most chat models. */
export const findKindByName = (model: string): Operation | undefined =>
  kinds.find(([called]) => called.test(model))?.[1]

/** Does the model chat, as far as its name shows it? */
export const isChatModelName = (model: string): boolean => (findKindByName(model) ?? 'chat') === 'chat'

/** Does a call of this kind have a prompt of tokens? The context that lists state of other kinds is characters or seconds. */
export const hasTokenPrompt = (kind: Operation): boolean => !['images', 'speech', 'video'].includes(kind)

/** Does a model of this kind answer in tokens? The answer that lists state of an embedding is the size of its vector. */
export const answersInTokens = (kind: Operation): boolean => kind === 'chat' || kind === 'realtime'

// The models that search for every prompt: the results are part of their prompt.

const SEARCHES = /search|sonar/

/** Returns true if the model always searches. */
export const searchesByItself = (model: string): boolean => SEARCHES.test(model)
