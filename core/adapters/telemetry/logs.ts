// Exports log lines by OTLP as they are written, with the same redaction as in the log.
import { ROOT_CONTEXT, trace as spans, TraceFlags } from '@opentelemetry/api'
import { SeverityNumber, type LogAttributes } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import type { LogListener } from '../pino.ts'

const SEVERITY = { info: SeverityNumber.INFO, warn: SeverityNumber.WARN, error: SeverityNumber.ERROR }

export interface Logs {
  log: LogListener
  close(): Promise<void>
}

export function createLogExporter(resource: Resource, scope: { name: string; version: string }): Logs {
  const processor = new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })
  const provider = new LoggerProvider({ resource, processors: [processor] })
  const logger = provider.getLogger(scope.name, scope.version)
  return {
    log(level, message, { trace_id, span_id, ...fields }) {
      logger.emit({
        timestamp: Date.now(),
        severityNumber: SEVERITY[level],
        severityText: level,
        body: message,
        // Values that JSON cannot express are omitted, as in the log.
        attributes: JSON.parse(JSON.stringify(fields)) as LogAttributes,
        context:
          typeof trace_id === 'string' && typeof span_id === 'string'
            ? spans.setSpanContext(ROOT_CONTEXT, { traceId: trace_id, spanId: span_id, traceFlags: TraceFlags.SAMPLED })
            : ROOT_CONTEXT,
      })
    },
    close: () => provider.shutdown(),
  }
}
