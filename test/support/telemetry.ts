// Telemetry for tests, to a collector of theirs: quick to send, by variables that nobody else sees.
import { createSystemClock } from '../../core/adapters/platform.ts'
import { startTelemetry } from '../../core/adapters/telemetry/index.ts'
import { TELEMETRY_SIGNALS, type TelemetrySignal } from '../../core/config.ts'
import type { Logger } from '../../core/ports/logger.ts'
import { silent } from './databases.ts'
import type { TelemetryExporters } from '../../core/adapters/telemetry/telemetry.ts'

/** The exporters read the process's own variables when they are made. */
export function tellTo(
  url: string,
  {
    told = TELEMETRY_SIGNALS,
    env = {},
    logger = silent,
  }: { told?: readonly TelemetrySignal[]; env?: Record<string, string>; logger?: Logger } = {},
): TelemetryExporters {
  const given = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_BLRP_SCHEDULE_DELAY: '20',
    OTEL_METRIC_EXPORT_INTERVAL: '100',
    ...env,
  }
  const before = { ...process.env }
  Object.assign(process.env, given)
  try {
    return startTelemetry({ signals: told, version: '1.2.3', env: given, clock: createSystemClock(), logger })
  } finally {
    for (const name of Object.keys(given)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}
