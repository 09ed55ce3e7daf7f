// What a gateway tells by OTLP, as far as whoever opens one knows of it. Nothing here loads OpenTelemetry.
import type { CallSink } from '../../calls/sinks.ts'
import type { Tracer } from '../../ports/tracer.ts'
import type { AlsoLogged } from '../pino.ts'

export interface Telemetry {
  /** Where traces are told. */
  tracer?: Tracer
  /** Who make spans and metrics of finished calls. */
  sinks: readonly CallSink[]
  /** Where logs are told. */
  log?: AlsoLogged
  /** Sends what is left, once the gateway is closed; gives up after a moment. */
  close(): Promise<void>
}
