// Writes CONFORMANCE.md: the recordings, the clients they were played to, and the comparisons. Run `npx tsx
// test/conformance/page.ts` with the recordings next to the repository.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { allRecordings } from '../support/at-hand.ts'
import { type Recording } from '../support/recordings.ts'
import { startUpstream } from '../support/upstream.ts'
import { besideChat } from './beside.ts'
import { cases, clients, refusals, type Case } from './cases.ts'
import { createReferences, type Heard, type References } from './check.ts'
import type { Client } from './saying.ts'

export const PAGE = fileURLToPath(new URL('CONFORMANCE.md', import.meta.url))

const INTRODUCTION = `# What real answers become on their way through Weir

Recorded answers of real providers, played as upstream to a running gateway through a channel of the provider's type
(or of another type that asks in the recorded format), and read by the official clients. Every number counts recordings
that were played and found right; a test fails when one is not, and when this page is stale.

- **Unchanged**, to the client of the recorded format: its own result of the recorded request is the same as without
  Weir, and so are the bytes: the whole answer, or each event of a stream. Only usage that the caller did not ask for is
  left out, and a missing end mark of a chat is put there.
- **To other clients**: what the client read equals a reading of the recording by its provider's own client. Counted are
  the recordings that have something to compare: texts, refusals (a text where the format has no word for them),
  reasoning, calls with their arguments (parsed), pictures, addresses of sources, the reason to finish, usage (prompt,
  read from and written to the cache, completion, reasoning). What a format cannot say is blank.
  A stream is also asked for as a whole answer, and a whole answer as a stream.
- **Errors** reach each client as its own class of error, with the provider's status and words, and cost nothing.
- The usage log counted what the provider reported, or an estimate marked as one where it reported nothing.

The recordings lie beside this repository, not in it. The page is written by \`npx tsx test/conformance/page.ts\`.
`

const FEATURES = ['text', 'refusal', 'reasoning', 'calls', 'pictures', 'sources', 'finish', 'usage', 'errors'] as const

/** What there is to compare. */
function featuresOf(client: Client, { said, failed }: Heard): Set<(typeof FEATURES)[number]> {
  if (failed) return new Set(['errors'])
  const { text, refusal, reasoning, calls, images, sources, finish, usage } = client.able(said)
  const shown = {
    ...{ text: text !== '', refusal: refusal !== '', reasoning: reasoning !== '', calls: calls.length > 0 },
    ...{ pictures: images > 0, sources: sources.length > 0, finish: finish !== undefined, usage: usage !== undefined },
  }
  return new Set(FEATURES.filter((feature) => feature !== 'errors' && shown[feature]))
}

type Row = (string | number)[]

/** Groups by provider and format, in the order of their names. */
function grouped<T>(all: readonly T[], recordingOf: (one: T) => Recording): [string, string, T[]][] {
  const groups = new Map<string, [string, string, T[]]>()
  for (const one of all) {
    const { provider, api } = recordingOf(one)
    const group = groups.get(`${provider} ${api}`) ?? [provider, api, []]
    group[2].push(one)
    groups.set(`${provider} ${api}`, group)
  }
  return [...groups.values()]
}

const count = (n: number): string | number => (n === 0 ? '' : n)

async function section(client: Client, references: References): Promise<string> {
  const rows: Row[] = []
  for (const [provider, api, group] of grouped(
    [...cases, ...refusals].filter((one) => one.client === client),
    (one) => one.recording,
  )) {
    const features = await Promise.all(group.map(async (one) => featuresOf(client, await heardOnce(references, one))))
    const unchanged = group.filter((one) => one.own === client && cases.includes(one)).length
    const counts = FEATURES.map((feature) => count(features.filter((has) => has.has(feature)).length))
    rows.push([provider, api, group.length, count(unchanged), ...counts])
  }
  const sums = [2, 3, ...FEATURES.map((_, at) => at + 4)].map((at) =>
    rows.reduce((sum, row) => sum + Number(row[at]), 0),
  )
  rows.push(['**all**', '', ...sums.map(count)])
  return `## To a client of ${client.name}\n\n${table(['Provider', 'Recorded as', 'Played', 'Unchanged', ...FEATURES.map(titled)], rows)}`
}

/** One after another: there is one upstream. */
let turn: Promise<unknown> = Promise.resolve()
function heardOnce(references: References, one: Case): Promise<Heard> {
  const next = turn.then(() => references.heard(one))
  turn = next
  return next
}

const titled = (feature: string): string => feature.charAt(0).toUpperCase() + feature.slice(1)

const table = (head: Row, rows: Row[]): string =>
  [head, head.map(() => '-'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

function others(): string {
  const played = new Set([...cases, ...refusals, ...besideChat].map(({ recording }) => recording.id))
  const rest = allRecordings().filter(({ id }) => !played.has(id))
  const rows = grouped(rest, (one) => one).map(([provider, api, group]): Row => [provider, api, group.length])
  return `## Not played

No channel asks in these formats: their providers are asked at another of their endpoints, or the call is not served.
What they refused in them was played, and stands above.

${table(['Provider', 'Recorded as', 'Recordings'], rows)}`
}

function beside(): string {
  const rows = grouped(besideChat, ({ recording }) => recording).map(([provider, api, group]): Row => {
    const failed = group.filter(({ recording }) => recording.response.status >= 400).length
    return [provider, api, group.length, count(group.length - failed), count(failed)]
  })
  return `## Beside chat

Bytes pass: the answer is the recorded one, byte for byte.

${table(['Provider', 'Recorded as', 'Played', 'Unchanged', 'Errors'], rows)}`
}

/** @param references of an upstream that plays nothing else meanwhile */
export async function page(references: References): Promise<string> {
  const sections: string[] = []
  for (const client of clients) sections.push(await section(client, references))
  const text = [INTRODUCTION, ...sections, beside(), others()].join('\n\n')
  return format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const upstream = await startUpstream()
  writeFileSync(PAGE, await page(createReferences(upstream)))
  await upstream.close()
}
