// Anthropic's cache of prompts: what ends at a mark is kept, and read again where a later prompt begins with it.
import type { Json } from '../../support/json.ts'
import { tokensOf } from '../tokens.ts'
import { blocksOf } from './message-rules.ts'
import type { MessagesBody } from './shape.ts'

/** Shorter prompts are not kept. Unit: tokens. */
const SHORTEST_KEPT = 1024
/** So many blocks before a mark are looked at. */
const LOOK_BACK = 20

export interface Cached {
  prompt: number
  read: number
  write_5m: number
  write_1h: number
}

interface Piece {
  text: string
  ttl?: '5m' | '1h'
}

/** What is kept lives as long as the vendor. */
export function createCache() {
  const kept = new Set<string>()
  return {
    count(body: Pick<MessagesBody, 'tools' | 'system' | 'messages' | 'cache_control' | 'model'>): Cached {
      const pieces = piecesOf(body)
      const ends: string[] = []
      for (const { text } of pieces) ends.push((ends.at(-1) ?? `${body.model}\n`) + text)
      const tokens = (at: number) => (at < 0 ? 0 : tokensOf(ends[at] as string))
      const marks = pieces.flatMap(({ ttl }, at) => (ttl && tokens(at) >= SHORTEST_KEPT ? [at] : []))
      const near = marks.flatMap((at) => Array.from({ length: LOOK_BACK }, (_, back) => at - back))
      const hit = Math.max(-1, ...near.filter((at) => at >= 0 && kept.has(ends[at] as string)))
      const writes = { '5m': 0, '1h': 0 }
      let from = hit
      for (const at of marks.filter((each) => each > hit)) {
        writes[pieces[at]?.ttl ?? '5m'] += tokens(at) - tokens(from)
        from = at
      }
      for (const at of marks) kept.add(ends[at] as string)
      return { prompt: tokens(ends.length - 1), read: tokens(hit), write_5m: writes['5m'], write_1h: writes['1h'] }
    },
  }
}

function piecesOf({
  tools = [],
  system = [],
  messages,
  cache_control,
}: Parameters<ReturnType<typeof createCache>['count']>[0]): Piece[] {
  const blocks: Json[] = [
    ...tools,
    ...(typeof system === 'string' ? [{ type: 'text', text: system }] : system),
    ...messages.flatMap(({ role, content }) => blocksOf(content).map((block) => ({ role, ...block }))),
  ]
  return blocks.map((block, at) => {
    const { cache_control: own, ...rest } = block
    const mark = own ?? (at === blocks.length - 1 ? cache_control : undefined)
    return { text: JSON.stringify(rest), ...(mark ? { ttl: mark.ttl ?? '5m' } : {}) }
  })
}
