// The page core/providers/channel-types.md: what each channel type was verified against. `npx tsx
// test/providers/channel-types.ts` writes it, beside the recordings.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { allProviders } from '../../core/providers/index.ts'
import type { Provider } from '../../core/providers/provider.ts'
import { besideChat } from '../conformance/beside.ts'
import { cases } from '../conformance/cases.ts'
import { typeOf } from '../conformance/channels.ts'
import type { Recording } from '../support/recordings.ts'
import { documented } from './documented.ts'

export const PAGE = fileURLToPath(new URL('../../core/providers/channel-types.md', import.meta.url))

const INTRODUCTION = `# What each channel type was verified against

- **Recorded**: answers that the provider really gave, by format, played as upstream through a channel of this type to a
  running gateway ([the conformance suite](../../test/conformance/CONFORMANCE.md) says what was compared). A format in
  which the type is asked and that is not named here was not verified. Type 1 was also played those of compatible servers
  that have no type of their own.
- **Documented**: answers that the vendor shows at the address named, or in the file named of its own repository, played
  the same way, shortened where they are long (\`test/providers/documented.test.ts\`). *But* tells what is less than that:
  read in a copy, taken from the test of an SDK, or completed from what other gateways send.
- **Vectors**: what the maker of a signature publishes to check it with (\`test/core/adapters/signer.test.ts\`).
- **Nothing yet**: written from the vendor's description alone, or from what other gateways send; only its address and the
  form of its key are tested.

The doors of Anthropic's format beside a provider's own (types 4, 17, 25, 26, 35, 40, 43, 46, 1003, 1006, 1009, 1010, 1013
and 1014) and those of Responses at types 17, 1005 and 1006 are written from the page named at the head of the provider's
file: no answer of theirs was at hand. At types 25 and 26 the address was read only with
others who use it, and the header of the key is unverified.

What codes of errors mean as HTTP status is our own judgement wherever no refusal is listed here.

No channel was ever tried on a provider itself here: there is no network. The page is written by
\`npx tsx test/providers/channel-types.ts\`.
`

/** Signatures, and where their examples are from. */
const vectors: Readonly<Record<number, string>> = {
  18: 'the signed address of its WebSocket: the example of https://xfyun.cn/doc/spark/general_url_authentication.html (a session made of the frame that its page shows: `test/providers/spark-socket.test.ts`)',
  23: 'TC3-HMAC-SHA256: the example of "Signature v3" (https://tencentcloud.com/zh/document/product/1021/34193)',
  33: "Signature Version 4: AWS's test suite",
}

/** What they do in their own time. */
const TASKS = 'tasks: played from its documentation (`test/tasks/vendors`)'

/** Why nothing is verified, where that is not for want of traffic. */
const remarks: Readonly<Record<number, string>> = {
  2: TASKS,
  5: TASKS,
  21: "**nothing yet**: written from what other gateways send, the vendor's page is gone",
  36: TASKS,
  50: TASKS,
  51: 'tasks: their calls are not served yet',
  52: TASKS,
  1015: TASKS,
  1000: 'answers by itself: `test/providers/sandbox.test.ts`',
}

const OPERATIONS = [
  'chat',
  'embeddings',
  'moderation',
  'rerank',
  'images',
  'speech',
  'transcription',
  'realtime',
] as const

/** The formats it is asked in. */
const formatsOf = (provider: Provider): string =>
  [
    ...new Set(
      [...OPERATIONS.flatMap((operation) => provider[operation] ?? []), ...(provider.tasks ?? [])].map(
        ({ dialect }) => dialect.name,
      ),
    ),
  ].join(', ')

/** How many answers of each recorded format were played, and how many of these were errors. */
function recorded(type: number): string {
  const played = new Map<string, Recording>()
  for (const { recording, place } of [...cases, ...besideChat])
    if (place.type === type && typeOf(recording.provider) === type) played.set(recording.id, recording)
  const byFormat = new Map<string, Recording[]>()
  for (const one of played.values()) byFormat.set(one.api, [...(byFormat.get(one.api) ?? []), one])
  return [...byFormat]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([api, some]) => {
      const errors = some.filter(({ response }) => response.status >= 400).length
      return `${api} ${some.length}${errors > 0 ? ` (${errors} refused)` : ''}`
    })
    .join(', ')
}

function row(provider: Provider): string[] {
  const { type, name, retired } = provider
  const found = documented.filter((one) => one.type === type)
  const shown = found.map(({ shows, page, but }) => `${shows} (${page}${but ? `; *but* ${but}` : ''})`)
  const evidence = [recorded(type), shown.join('; '), vectors[type] ?? '']
  const remark = remarks[type] ?? (evidence.every((each) => each === '') ? '**nothing yet**' : '')
  return [
    String(type),
    retired ? `${name} (no new channels: take ${retired})` : name,
    formatsOf(provider),
    ...evidence,
    remark,
  ]
}

export async function page(): Promise<string> {
  const head = ['Type', 'Name', 'Asked in', 'Recorded', 'Documented', 'Vectors', 'Remark']
  const rows = [head, head.map(() => '---'), ...allProviders.map(row)]
  const verified = allProviders.filter((one) =>
    row(one)
      .slice(3, 6)
      .some((each) => each !== ''),
  ).length
  const sum = `${verified} of ${allProviders.length} types have been verified against something that their providers said.`
  const text = [INTRODUCTION, sum, rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')].join('\n\n')
  return format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, await page())
