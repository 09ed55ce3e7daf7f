// The page AGENTS.md: what came of a whole run.
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import type { Agent } from './agent.ts'
import { kinds } from './kinds.data.ts'
import type { Played } from './play.ts'

export const PAGE = fileURLToPath(new URL('AGENTS.md', import.meta.url))

const INTRODUCTION = `# Coding agents on every kind of channel

Real agents from npm, run without a person, through a built Weir, against vendors that refuse what the real ones refuse
(\`test/vendors/\`). Each reads a file with a tool of its own, writes what it found into another, and says it. **ok** means:

- both tools really ran, and the vendor got their results: the number that is written and said is known from nowhere else;
- the agent printed the last words;
- the vendor refused nothing, and no call failed;
- the agent's own count of tokens (prompt, read from the cache, answer) is the sum of the log rows, and theirs is the vendor's;
- the user paid what the rows charge.

Written by \`npx tsx test/agents/run.ts\`.
`

export async function page(played: readonly Played[], versions: ReadonlyMap<Agent, string>): Promise<string> {
  const head = ['Agent', 'Version', 'Speaks', ...kinds.map(({ name, model }) => `${name}: ${model}`)]
  const agents = [...new Set(played.map(({ agent }) => agent))]
  const lines = agents.map((agent) => [
    agent.name,
    versions.get(agent) ?? '',
    agent.speaks,
    ...kinds.map((kind) => cellOf(played.find((one) => one.agent === agent && one.kind === kind))),
  ])
  const table = [head, head.map(() => '-'), ...lines].map((row) => `| ${row.join(' | ')} |`).join('\n')
  const bad = played.filter(({ faults }) => faults.length > 0)
  const faults = bad.map(
    ({ agent, kind, faults }) => `- **${agent.name} (${agent.speaks}) on ${kind.name}**: ${faults.join('; ')}`,
  )
  const text = [INTRODUCTION, table, ...(faults.length > 0 ? ['## Not ok', faults.join('\n')] : [])].join('\n\n')
  return format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}

/** Tokens as the agent reported them: prompt, of it read from the cache, answer. */
function cellOf(one: Played | undefined): string {
  if (!one) return ''
  if (one.faults.length > 0 || !one.reported) return 'not ok'
  const { prompt, cached, completion } = one.reported
  return `ok: ${one.requests} calls, ${prompt} (${cached} cached) + ${completion}`
}
