// Packages that only some installations need. They are optional peer dependencies of Weir: the operator installs them.
import { StartError } from './start-error.ts'

const OPENTELEMETRY = [
  ...['api', 'api-logs', 'core', 'resources', 'sdk-logs', 'sdk-metrics', 'sdk-trace-base'],
  ...['exporter-logs-otlp-proto', 'exporter-metrics-otlp-proto', 'exporter-trace-otlp-proto'],
].map((name) => `@opentelemetry/${name}`)

/** For each feature: the beginning of its error message, and the packages to install. */
export const OPTIONAL_PACKAGES = {
  clickhouse: { needed: 'The log in ClickHouse needs its client', packages: ['@clickhouse/client'] },
  mysql: { needed: 'The import from MySQL or MariaDB needs a client', packages: ['mysql2'] },
  parquet: { needed: 'Parquet files need DuckDB', packages: ['@duckdb/node-api'] },
  telemetry: { needed: 'The export to a collector needs OpenTelemetry', packages: OPENTELEMETRY },
} as const

/**
 * Loads the module of a feature, which imports the packages of the feature.
 * @throws StartError with the command that installs the packages if one of them is missing
 */
export async function loadOptional<Module>(
  feature: keyof typeof OPTIONAL_PACKAGES,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const { needed, packages } = OPTIONAL_PACKAGES[feature]
    throw new StartError(
      `${needed}, which is not installed: run \`npm install ${packages.join(' ')}\` beside Weir.`,
      error,
    )
  }
}
