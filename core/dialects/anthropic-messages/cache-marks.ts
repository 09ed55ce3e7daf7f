// Places cache breakpoints in a translated prompt: callers of other formats cannot set them, and without them every
// turn of an agent pays for its whole history again. A prefix shorter than the model's minimum (512 to 4096 tokens) is
// neither written nor charged, so short prompts need no exception.
import { writeCache, type CacheUse } from '../cache-mark.ts'
import type { ModelRequest } from '../model-request.ts'
import { asObject, type JsonObject } from '../json/json-value.ts'
import { parseClaudeVersion } from './thinking.ts'
import type { WrittenTurn } from './write-blocks.ts'

/** Anthropic refuses more. */
const MOST_MARKS = 4
/** The first version whose prompts every cloud caches. */
const CACHES = 307

/** The parts of a prompt, in the order in which they are cached. */
export interface CacheablePrompt {
  tools?: JsonObject[]
  system?: string | JsonObject[]
  messages: WrittenTurn[]
}

/**
 * Adds breakpoints to the last tool, the end of the system prompt and the last two user turns: the next call reads at
 * the last one, and this call reads at the one before, which the previous call wrote, however many blocks came in
 * between. The caller's own breakpoints stay and count first; those above four are dropped.
 */
export function addCacheMarks<P extends CacheablePrompt>(
  prompt: P,
  request: ModelRequest,
  use: CacheUse,
  drop: () => void,
): P {
  const system = typeof prompt.system === 'string' ? [{ type: 'text', text: prompt.system }] : prompt.system
  const blocks = [...(prompt.tools ?? []), ...(system ?? []), ...prompt.messages.flatMap(({ content }) => content)]
  const own = blocks.filter(isMarked)
  for (const block of own.slice(0, -MOST_MARKS)) {
    delete block.cache_control
    drop()
  }
  const room = MOST_MARKS - own.length
  if (room <= 0 || !isWanted(request, use)) return prompt
  const users = prompt.messages.filter(({ role }) => role === 'user')
  const [last, before] = [users.at(-1), users.at(-2)].map((turn) => turn?.content.at(-1))
  // A one-hour breakpoint may not follow a shorter one.
  const free = blocks.slice(blocks.findLastIndex(lasts) + 1).filter((block) => !isMarked(block))
  const places = [last, system?.at(-1), before, prompt.tools?.findLast((tool) => tool.defer_loading !== true)]
  const taken = places.filter((block) => block !== undefined && free.includes(block)).slice(0, room)
  for (const block of taken) Object.assign(block as JsonObject, writeCache('5m'))
  return system?.some(isMarked) ? { ...prompt, system } : prompt
}

const isMarked = (block: JsonObject): boolean => block.cache_control !== undefined
const lasts = (block: JsonObject): boolean => asObject(block.cache_control)?.ttl === '1h'

/** Writing a cache costs extra, so it pays only where a second call is likely. */
function isWanted({ model, messages, tools, tool_choice }: ModelRequest, use: CacheUse): boolean {
  if (use === 'never' || (parseClaudeVersion(model) ?? 0) < CACHES) return false
  if (use === 'always' || messages.some(({ role }) => role === 'assistant')) return true
  // A caller who forces one tool wants its arguments as the answer, so no second call is likely.
  return Boolean(tools?.length) && typeof tool_choice !== 'object'
}
