// The page docs/operate/monitor.md, made from the declarations of the metrics. `npx tsx test/operations/monitor-page.ts` writes it.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { labelWords, metrics } from '../../core/metrics/metrics.data.ts'
import type { Metric } from '../../core/ports/metric-store.ts'
import { markdownTable } from '../support/markdown-table.ts'

export const PAGE = fileURLToPath(new URL('../../docs/operate/monitor.md', import.meta.url))

const INTRODUCTION = `# Monitor

What a program can ask of a running Weir, and what each number means. This page is made from the declarations in
\`core/metrics/metrics.data.ts\`: \`npx tsx test/operations/monitor-page.ts\`.

## 1. Is it alive, does it take calls

| Path       | Answers                                                                                            |
| ---------- | -------------------------------------------------------------------------------------------------- |
| \`/healthz\` | 200 as long as the event loop turns: who gets none for long restarts the process                   |
| \`/readyz\`  | 200 while calls can begin; 503 with \`starting\`, \`stopping\` or \`storage_away\`: send calls elsewhere |

Both are public, tell nothing secret, ask neither database nor disk, and are found below \`--base-path\` and without it. While
the database is away, \`/readyz\` stays 200 where calls can do without it (SQLite, with a journal that can be written).

## 2. Metrics

In the text format of Prometheus, at \`/metrics\`, in one of two ways, or both:

- \`weir serve --metrics-port 9464\` (\`WEIR_METRICS_PORT\`): a port of its own on 127.0.0.1 (\`--metrics-host\`), with both probes.
  Who reaches it reads the metrics, so keep it inside.
- \`weir settings set metrics.token\` with 16 characters or more: \`/metrics\` on Weir's own port, for who sends it as a Bearer token.

With neither, \`/metrics\` is 404 and nothing is loaded or counted. With \`--workers\` one scrape has all processes: counts are
added, and of states the greatest or the least is told; \`weir_processes\` says how many answered.

\`examples/operations/\` has a \`prometheus.yml\`, alert rules and a dashboard for Grafana. \`test/operations/prometheus.sh\` tries
all three against a real Prometheus.

No label is of a user or a token. Models, channels and groups are those that are set up; beyond 1,000 sets of them calls are
counted as \`other\`, and \`weir_metrics_folded_total\` tells how many. \`channel\` is the channel's number: join
\`weir_channel_info\` for its name. Beside these there are the metrics of the runtime, \`process_…\` and \`nodejs_…\`: event loop
delay, garbage collection, memory, processor time, file descriptors.
`

const code = (text: string) => `\`${text}\``

export function page(): string {
  const rows = Object.entries<Metric>(metrics).map(([name, { kind, help, unit, labels }]) => [
    ...[code(name), kind, unit, labels.map(code).join(', '), help],
  ])
  const words = Object.entries(labelWords).flatMap(([label, said]) =>
    Object.entries(said).map(([word, what]) => [code(label), code(word), what]),
  )
  return [
    INTRODUCTION,
    `## 3. Every metric\n\n${markdownTable([['Metric', 'Kind', 'Unit', 'Labels', 'What it is'], ...rows])}\n`,
    `## 4. What labels say\n\n${markdownTable([['Label', 'Word', 'Means'], ...words])}\n`,
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, page())
