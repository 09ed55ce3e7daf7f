// The page AGENTS.md: what came of a whole run.
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { labelOf, type Agent } from './agent.ts'
import { kinds, type Kind } from './kinds.data.ts'
import type { Played } from './play.ts'

export const PAGE = fileURLToPath(new URL('AGENTS.md', import.meta.url))

const INTRODUCTION = `# Coding agents on every kind of channel

Real agents from npm and PyPI, run without a person, through a built Weir, against vendors that refuse what the real ones refuse
(\`test/vendors/\`). Each reads a file with a tool of its own, writes what it found into another, and says it. **ok** means:

- both tools really ran, and the vendor got their results: the number that is written and said is known from nowhere else;
- the agent printed the last words;
- the vendor refused nothing, and no call failed;
- the agent's own count of tokens (prompt, read from the cache, answer) is the sum of the log rows, and theirs is the vendor's;
- the user paid what the rows charge.

Written by \`npx tsx test/agents/run.ts\`.
`

const FURTHER = `## Further channels

Clouds that serve Claude refuse flags of \`anthropic-beta\` and fields of Anthropic's that they do not take. Groq and Cerebras
refuse thoughts in a history, DeepSeek and Kimi refuse turns with calls that lack them, and vLLM wants the system's words
first. The agents that use these channels most are sent there. Channels of Groq and Cerebras have \`mend_requests\`, without which
a caller of Chat gets what the server refuses.`

export async function page(played: readonly Played[], versions: ReadonlyMap<Agent, string>): Promise<string> {
  const agents = [...new Set(played.map(({ agent }) => agent))]
  const common = kinds.filter((kind) => !kind.agents)
  const further = kinds.filter((kind) => kind.agents)
  const named = new Set(further.flatMap((kind) => kind.agents ?? []))
  const cell = (agent: Agent, kind: Kind) => cellOf(played.find((one) => one.agent === agent && one.kind === kind))
  const everyAgent = [
    ['Agent', 'Version', 'Speaks', ...common.map(titleOf)],
    ...agents.map((agent) => [
      agent.name,
      versions.get(agent) ?? '',
      agent.speaks,
      ...common.map((kind) => cell(agent, kind)),
    ]),
  ]
  const some = agents.filter((agent) => named.has(labelOf(agent)))
  const furtherKinds = [
    ['Channel', ...some.map(labelOf)],
    ...further.map((kind) => [titleOf(kind), ...some.map((agent) => cell(agent, kind))]),
  ]
  const bad = played.filter(({ faults }) => faults.length > 0)
  const faults = bad.map(({ agent, kind, faults }) => `- **${labelOf(agent)} on ${kind.name}**: ${faults.join('; ')}`)
  const parts = [INTRODUCTION, tableOf(everyAgent), FURTHER, tableOf(furtherKinds)]
  const text = [...parts, ...(faults.length > 0 ? ['## Not ok', faults.join('\n')] : [])].join('\n\n')
  return format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}

const titleOf = ({ name, model }: Kind): string => `${name}: ${model}`

const tableOf = ([head = [], ...lines]: readonly string[][]): string =>
  [head, head.map(() => '-'), ...lines].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Tokens as the agent reported them: prompt, of it read from the cache, answer. */
function cellOf(one: Played | undefined): string {
  if (!one) return ''
  if (one.faults.length > 0 || !one.reported) return 'not ok'
  const { prompt, cached, completion } = one.reported
  return `ok: ${one.answers} calls, ${prompt} (${cached} cached) + ${completion}`
}
