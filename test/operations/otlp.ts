// Has another's decoder read what Weir tells: a call through a real server, its traces and metrics kept as they were sent,
// and read by the classes that PyPI's opentelemetry-proto has of the published schema. Run with `npx tsx
// test/operations/otlp.ts [PYTHON]`, where PYTHON has that package; prints the spans and metrics that it found.
import { execFileSync } from 'node:child_process'
import { eventually, openTestGateway } from '../support/gateway.ts'
import { startCollector } from '../support/otlp.ts'
import { tellTo } from '../support/telemetry.ts'

const READ = `
import sys, importlib.metadata
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest as Traces
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest as Metrics
print('opentelemetry-proto', importlib.metadata.version('opentelemetry-proto'))
for line in sys.stdin:
    kind, text = line.split()
    if kind == 'traces':
        for resource in Traces.FromString(bytes.fromhex(text)).resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    print('span', span.kind, span.name, span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
    else:
        for resource in Metrics.FromString(bytes.fromhex(text)).resource_metrics:
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    print('metric', metric.name, metric.unit, sum(p.count for p in metric.histogram.data_points))
`

const collector = await startCollector()
const telemetry = tellTo(collector.url, { told: ['traces', 'metrics'] })
const weir = await openTestGateway({ telemetry })
try {
  await weir.addChannel()
  const ada = await weir.addCaller({ quota: 1_000_000 })
  await ada.chat()
  await collector.spansOf(2)
  await eventually(
    () => collector.metrics.length,
    (count) => count > 0,
  )
} finally {
  await weir.close()
  await telemetry.close()
  await collector.close()
}
const sent = collector.sent.map(({ path, bytes }) => `${path.split('/').at(-1)} ${bytes.toString('hex')}`)
process.stdout.write(
  execFileSync(process.argv[2] ?? 'python3', ['-c', READ], { input: `${sent.join('\n')}\n`, encoding: 'utf8' }),
)
for (const { kind, name, spanId } of collector.spans) process.stdout.write(`ours ${kind} ${name} ${spanId}\n`)
