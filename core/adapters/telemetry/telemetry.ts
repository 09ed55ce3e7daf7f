// The OTLP exports of a gateway, as seen by the code that opens one. They stand in a file of their own, so that neither that
// code nor the published declarations name OpenTelemetry, which is an optional package.
import type { CallSink } from '../../calls/sinks.ts'
import type { CallTracer } from '../../ports/tracer.ts'
import type { LogListener } from '../pino.ts'

export interface TelemetryExporters {
  /** Exports traces. */
  tracer?: CallTracer
  /** Build spans and metrics of finished calls. */
  sinks: readonly CallSink[]
  /** Exports logs. */
  log?: LogListener
  /** Sends the remaining data after the gateway has closed; gives up after a moment. */
  close(): Promise<void>
}
