// The page docs/operate/monitor.md, made from the declarations of the metrics. `npx tsx test/operations/monitor-page.ts` writes it.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { labelWords, metrics } from '../../core/metrics/metrics.data.ts'
import type { MetricDefinition } from '../../core/ports/metric-store.ts'
import { markdownTable } from '../support/markdown-table.ts'

export const PAGE = fileURLToPath(new URL('../../docs/operate/monitor.md', import.meta.url))

const INTRODUCTION = `# Monitor

This page describes the probes and metrics of a running Weir. It is generated from the declarations in
\`core/metrics/metrics.data.ts\` by \`npx tsx test/operations/monitor-page.ts\`.

## 1. Health and readiness

| Path       | Status                                                                                             |
| ---------- | -------------------------------------------------------------------------------------------------- |
| \`/healthz\` | 200 while the event loop runs; restart the process if there is no answer for a longer time         |
| \`/readyz\`  | 200 while calls can begin; 503 with \`starting\`, \`stopping\` or \`storage_away\`: send calls elsewhere |

Both are public, reveal nothing secret, use neither database nor disk, and are served below \`--base-path\` and without it. If the
database is unavailable, \`/readyz\` stays 200 as long as calls do not need it (SQLite, with a writable journal).

## 2. Metrics

Metrics are served at \`/metrics\` in the text format of Prometheus, in one or both of two ways:

- \`weir serve --metrics-port 9464\` (\`WEIR_METRICS_PORT\`) opens a separate port on 127.0.0.1 (\`--metrics-host\`), with both probes.
  Everyone who can reach the port can read the metrics, so keep it internal.
- \`weir settings set metrics.token\` with 16 characters or more serves \`/metrics\` on Weir's main port, to clients that send the token
  as a Bearer token.

With neither, \`/metrics\` is 404, and nothing is loaded or counted. With \`--workers\` one scrape covers all processes: counters are
summed, and gauges show the maximum or the minimum; \`weir_processes\` is the number of processes that answered.

\`examples/operations/\` has a \`prometheus.yml\`, alert rules and a dashboard for Grafana. \`test/operations/prometheus.sh\` tests all
three with a real Prometheus.

No label contains a user or a token. Models, channels and groups are those that are set up; beyond 1,000 combinations calls are
counted as \`other\`, and \`weir_metrics_folded_total\` is their number. \`channel\` is the channel's id: join \`weir_channel_info\`
for its name. The metrics of the runtime, \`process_…\` and \`nodejs_…\`, are also exported: event loop delay, garbage collection,
memory, CPU time, file descriptors.
`

const code = (text: string) => `\`${text}\``

export function page(): string {
  const rows = Object.entries<MetricDefinition>(metrics).map(([name, { kind, help, unit, labels }]) => [
    ...[code(name), kind, unit, labels.map(code).join(', '), help],
  ])
  const words = Object.entries(labelWords).flatMap(([label, said]) =>
    Object.entries(said).map(([word, what]) => [code(label), code(word), what]),
  )
  return [
    INTRODUCTION,
    `## 3. Every metric\n\n${markdownTable([['Metric', 'Kind', 'Unit', 'Labels', 'Meaning'], ...rows])}\n`,
    `## 4. Values of labels\n\n${markdownTable([['Label', 'Value', 'Meaning'], ...words])}\n`,
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, page())
