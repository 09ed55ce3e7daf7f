// The page FAULTS.md, made from the table of faults. `npx tsx test/faults/page.ts` writes it.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '../support/markdown-table.ts'
import type { Fault, Outcome } from './fault.ts'
import { groups } from './faults.ts'

export const PAGE = fileURLToPath(new URL('FAULTS.md', import.meta.url))

const INTRODUCTION = `# What becomes of a call when its provider misbehaves

Every row is played against a running gateway, streamed and plain, with one channel and with three (the misbehaving one
first, two healthy ones behind it), and what is written here is what was seen: by the caller, in the books, in the
usage log and in the state of the channel. In every row the charge equals the log row and the change of the balance,
nothing stays held, nothing is sent behind an error or the end mark, and neither keys nor addresses show.

- **Refused**: an error with that status and \`error.code\`. Nothing is charged, and the log has an error row; but what
  the provider reports in an answer of status 200 is charged, if no other channel serves the call.
- **Cut**: what had come, then one error event with that code. What had come is charged by the provider's report, else
  counted and charged as an estimate, and logged as cut short. Nothing is tried again once something was sent.
- **Whole**: the answer as if nothing had happened.
- **Waits**: a plain answer that has not begun is waited for until the caller leaves, and a second longer for its
  usage (a setting). Nothing is charged.
- Whoever hangs up, at the first text of a stream or while a plain answer is made, has nothing of it for free: what came
  is charged, by the report where the answer is read on.
- **Charged**: by the provider's _report_, by an _estimate_ of our own, by a _cut report_ (more than the request could
  have used is not believed), or _nothing_.
- **With three**: whether a healthy channel serves the call instead, by its own report.
- **Channel**: afterwards it is still asked (_on_), left alone for a while (_cooling_) or switched _off_.

The limits are one second of silence and one second to the first content of a stream; channels with bad keys are
switched off by themselves. This page is made from the table in this folder: \`npx tsx test/faults/page.ts\`.
`

export const page = (): string =>
  [INTRODUCTION, ...Object.entries(groups).map(([title, faults]) => `## ${title}\n\n${table(faults)}\n`)].join('\n')

function table(faults: Fault[]): string {
  const rows = faults.map((fault) => [
    fault.name,
    shown(fault.stream),
    shown(fault.plain),
    withThree(fault),
    fault.channel,
  ])
  return markdownTable([['The provider', 'A stream', 'A plain answer', 'With three', 'Channel'], ...rows])
}

function shown({ sees, status, code, charged }: Outcome): string {
  if (sees === 'whole') return `whole, charged by ${charged}`
  if (sees === 'nothing') return 'waits'
  const by = charged === 'report' ? ', charged by report' : ''
  return sees === 'cut' ? `cut: \`${code}\`${by}` : `refused: ${status} \`${code}\`${by}`
}

function withThree({ rescued: { stream, plain }, ...fault }: Fault): string {
  if (stream && plain) return 'served'
  if (stream) return 'streams are served'
  if (plain) return 'plain calls are served'
  return fault.stream.sees === 'whole' ? 'no need' : 'the same'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, page())
