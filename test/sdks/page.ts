// The page SDKS.md: each library in each format, directly and on every kind of channel.
import { markdownTable } from '../support/markdown-table.ts'
import { channels, kinds, type Kind } from './stands.ts'

export interface Outcome {
  /** Names of the cases. */
  played: readonly string[]
  /** What went wrong, by the case's name. */
  faults: Record<string, string>
}

export interface Row {
  library: string
  format: string
  direct: Outcome
  channels: Partial<Record<Kind, Outcome>>
}

const INTRODUCTION = `# Libraries of Python, Go and Java on three kinds of channels

Every library was played as people use it: directly at a vendor whose format it speaks, and through Weir on a channel of each
kind. The vendors are the scripted ones of \`test/vendors/\`, which refuse what the real ones refuse. The number says how many
cases came out as they should:

- **chat**, **stream**: the vendor's words, whole and in pieces;
- **tools**, **stream_tools**: a call with its arguments, the result sent back, the last words;
- **structured**: the library's own way to an answer of a pydantic model (bounds, lengths, a pattern, options, an enumeration, a
  list of models); **native**: the vendor's structured outputs where they are not the library's own way;
- **json_mode**: JSON without a schema; **embeddings**: of two texts, where the vendor has them;
- **bad_key**, **unknown_model** (in the format's own column): the same exception after the same number of requests as directly
  (of a wrong key in Gemini's format the number only: Weir answers 401, Google 400; of an unknown model in Anthropic's format
  DSPy knows through Weir what it is, and directly does not).

The usage that a library reports must be what the vendor reported. Libraries that read only the first frame of a stream in
Anthropic's format get an estimate, because another vendor counts later. Through Weir, a case gives the same as directly, with as many
requests and refusals. In brackets stands what a library cannot do directly either.

This page is made by \`npx tsx test/sdks/run.ts\`.
`

export function page(rows: readonly Row[]): string {
  const models = kinds.map((kind) => {
    const { type, home, abroad } = channels[kind]
    return `${NAMES[kind]} (type ${type}): \`${home}\` in its own format, \`${abroad}\` in the others.`
  })
  const table = markdownTable([
    ['Library', 'Format', 'Direct', ...kinds.map((kind) => NAMES[kind])],
    ...rows.map(cells),
  ])
  const parts = [INTRODUCTION, ...models.map((line) => `- ${line}`), '', table, '']
  const faults = rows.flatMap(faultsOf)
  return [...parts, ...(faults.length > 0 ? ['## What is not as it should be', '', ...faults, ''] : [])].join('\n')
}

const NAMES: Record<Kind, string> = { openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Gemini' }

const cells = ({ library, format, direct, channels }: Row): string[] => [
  library,
  format,
  ownLimits(direct),
  ...kinds.map((kind) => (channels[kind] ? cell(channels[kind]) : '')),
]

function ownLimits({ played, faults }: Outcome): string {
  const names = Object.keys(faults)
  return `ok (${played.length - names.length})${names.length > 0 ? ` [${names.join(', ')}]` : ''}`
}

function cell({ played, faults }: Outcome): string {
  const names = Object.keys(faults)
  return names.length === 0 ? `ok (${played.length})` : `**${names.join(', ')}**`
}

const faultsOf = ({ library, format, channels }: Row): string[] =>
  Object.entries(channels).flatMap(([kind, { faults }]) =>
    Object.entries(faults).map(([name, fault]) => `- ${library}, ${format}, on ${kind}: ${name}: ${shortly(fault)}`),
  )

/** A fault on one line. */
export const shortly = (fault: string): string => fault.replace(/\s+/g, ' ').slice(0, 300)
