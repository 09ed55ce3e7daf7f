// Anthropic's prompt cache, as its documentation tells: what is kept, what is read, and what is refused.
//
//   const cache = createClaudeCache({ least: 1024 })
//   const usage = cache.usageOf(request.json)   // throws what the vendor would refuse
import type { Json } from './json.ts'

/** A mark finds what was written so many blocks before it. */
const LOOKBACK = 20
const MOST_MARKS = 4
const CHARACTERS_PER_TOKEN = 4

interface Block {
  text: string
  mark?: { type: string; ttl?: string }
  bare: boolean
}

/** Texts are blocks too; a mark is no part of what is cached. */
function blockOf(where: string, one: Json): Block {
  const { cache_control: mark, ...rest } = typeof one === 'string' ? { type: 'text', text: one } : one
  const bare = rest.type === 'thinking' || rest.type === 'redacted_thinking' || (rest.type === 'text' && !rest.text)
  return { text: where + JSON.stringify(rest), mark, bare }
}

const listed = (content: Json): Json[] => (content === undefined ? [] : Array.isArray(content) ? content : [content])

/** In the order in which they are cached. */
const blocksOf = ({ tools, system, messages }: Json): Block[] => [
  ...listed(tools).map((tool) => blockOf('tool', tool)),
  ...listed(system).map((block) => blockOf('system', block)),
  ...messages.flatMap(({ role, content }: Json) => listed(content).map((block) => blockOf(role, block))),
]

/** @param least the shortest beginning that is kept, in tokens */
export function createClaudeCache({ least }: { least: number }) {
  const kept = new Set<string>()

  function usageOf(request: Json) {
    const blocks = blocksOf(request)
    const marks = blocks.flatMap(({ mark }, at) => (mark ? [at] : []))
    if (marks.length > MOST_MARKS) throw new Error(`A maximum of 4 blocks with cache_control may be provided`)
    if (marks.some((at) => blocks[at]!.bare)) throw new Error('cache_control cannot be set for empty text or thinking')
    const ttls = marks.map((at) => blocks[at]!.mark!.ttl ?? '5m')
    if (ttls.lastIndexOf('1h') > ttls.indexOf('5m') && ttls.includes('5m')) throw new Error('ttl 1h behind ttl 5m')

    const prefixes = blocks.map((_, at) =>
      blocks
        .slice(0, at + 1)
        .map(({ text }) => text)
        .join('\n'),
    )
    const tokens = prefixes.map((prefix) => Math.ceil(prefix.length / CHARACTERS_PER_TOKEN))
    const total = tokens.at(-1) ?? 0
    const found = marks
      .flatMap((at) => Array.from({ length: Math.min(at, LOOKBACK) + 1 }, (_, back) => at - back))
      .filter((at) => kept.has(prefixes[at]!))
    const read = found.length > 0 ? tokens[Math.max(...found)]! : 0
    const last = marks.findLast((at) => tokens[at]! >= least)
    const marked = last === undefined ? 0 : tokens[last]!
    for (const at of marks) if (tokens[at]! >= least) kept.add(prefixes[at]!)
    return {
      input_tokens: total - Math.max(read, marked),
      cache_read_input_tokens: read,
      cache_creation_input_tokens: Math.max(marked - read, 0),
      output_tokens: 20,
    }
  }

  return { usageOf }
}
