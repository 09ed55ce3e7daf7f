// The process's environment, declared once: flag, variable, default, help. Read at start and never again.
import { z } from 'zod'
import { clauseOf } from './contract/validation.ts'
import type { ErrorCode } from './errors.ts'

interface ConfigOption {
  /** As commander writes it: `--port <number>`. */
  flag: string
  env: string
  default?: string
  help: string
  choices?: readonly string[]
}

export const configOptions = {
  host: { flag: '--host <address>', env: 'HOST', default: '127.0.0.1', help: 'address to listen on' },
  port: { flag: '--port <number>', env: 'PORT', default: '3000', help: 'port to listen on' },
  data: {
    flag: '--data <folder>',
    env: 'WEIR_DATA',
    default: './weir-data',
    help: 'folder for the database and the key file',
  },
  database: {
    flag: '--database <url>',
    env: 'DATABASE_URL',
    help: 'postgres:// address; without it Weir uses SQLite in the data folder',
  },
  new_database: {
    flag: '--new-database <answer>',
    env: 'WEIR_NEW_DATABASE',
    default: 'no',
    help: 'set up an empty database although this data folder has known another: yes or no',
    choices: ['yes', 'no'],
  },
  log_level: {
    flag: '--log-level <level>',
    env: 'LOG_LEVEL',
    default: 'info',
    help: 'how much to log',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
  },
  log_format: {
    flag: '--log-format <format>',
    env: 'LOG_FORMAT',
    help: 'pretty or json; pretty on a terminal',
    choices: ['pretty', 'json'],
  },
} as const satisfies Record<string, ConfigOption>

/** Only from the environment, so that it never shows in a process list. */
export const secretVariable = {
  env: 'WEIR_SECRET',
  help: 'master secret; without it a key file in the data folder is made and used',
} as const

export interface Config {
  host: string
  port: number
  data: string
  database?: string
  new_database?: 'yes' | 'no'
  log_level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  log_format: 'pretty' | 'json'
  secret?: string
}

const schema = z.object({
  host: z.string().min(1),
  port: z.coerce.number().int().min(0).max(65535),
  // Whoever means `--data-json` makes no folder of that name, with a key in it.
  data: z
    .string()
    .min(1)
    .regex(/^(?!\s*[{[])/, { error: 'config.data' satisfies ErrorCode }),
  database: z
    .string()
    .regex(/^postgres(ql)?:\/\/.+/, { error: 'config.database' satisfies ErrorCode })
    .optional(),
  new_database: z.enum(configOptions.new_database.choices),
  log_level: z.enum(configOptions.log_level.choices),
  log_format: z.enum(configOptions.log_format.choices),
  secret: z.string().min(16).optional(),
})

/** A flag or variable that cannot be used; the message is one sentence for the operator. */
export class ConfigError extends Error {
  /** It was given by a flag of the command, not by a variable. */
  readonly flag: boolean

  constructor(message: string, flag = false) {
    super(message)
    this.flag = flag
  }
}

/**
 * Flags win over variables, variables over defaults.
 * @throws ConfigError naming the flag and the variable
 */
export function readConfig(
  flags: Partial<Record<keyof typeof configOptions, string>>,
  env: Record<string, string | undefined>,
  terminal: boolean,
): Config {
  const raw: Record<string, string | undefined> = { secret: env[secretVariable.env] || undefined }
  for (const [name, option] of Object.entries(configOptions) as [keyof typeof configOptions, ConfigOption][]) {
    raw[name] = flags[name] ?? (env[option.env] || undefined) ?? option.default
  }
  raw.log_format ??= terminal ? 'pretty' : 'json'
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const name = String(parsed.error.issues[0]?.path[0])
  const option = (configOptions as Record<string, ConfigOption>)[name]
  const where = option ? `${option.flag.split(' ')[0]} (${option.env})` : secretVariable.env
  const { en } = clauseOf(parsed.error, schema, raw, { en: where, zh: where })
  throw new ConfigError(`${en}.`, Object.hasOwn(flags, name))
}
