// `weir service …`: Weir as a service of systemd.
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { configOptions, toFileVariable, secretVariable } from '../../core/config.ts'
import { fillTemplate, EMPTY_WORDS } from '../../core/errors.ts'
import { command, group, type CommandEnvironment } from '../command.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import { asUntranslatedText } from '../language.ts'
import { listenAddressOptions } from '../program.ts'
import { requireConfirmation } from '../input/confirm.ts'
import type { ServicePlace } from '../service.ts'
import {
  createSystemd,
  isOwnServiceUnit,
  serviceUnitKinds,
  requireSystemd,
  resolveServicePlace,
  refuseForeignUnits,
  formatSystemctlCommand,
  formatServiceUnit,
  formatVariableLine,
} from '../service.ts'
import { words } from '../texts.ts'
import { flag, text, time, type OutputView } from '../output/view.ts'

interface ServiceRow {
  name: string
  kind: 'system' | 'user'
  unit: string
  installed: boolean
  enabled: string | null
  state: string | null
  since: number
}

const serviceView: OutputView<ServiceRow> = {
  name: text(words('NAME'), 1, ({ name }) => name, { tone: () => 'strong' }),
  kind: text(words('KIND', { context: 'service' }), 1, ({ kind }) => kind),
  installed: flag(words('INSTALLED'), 1, ({ installed }) => installed),
  enabled: text(words('AT START'), 2, ({ enabled }) => enabled),
  state: text(words('STATE'), 1, ({ state }) => state, {
    tone: ({ state }) => (state === 'active' ? 'good' : state === 'failed' ? 'bad' : 'plain'),
  }),
  since: time(words('SINCE'), 2, ({ since }) => since),
  unit: text(words('UNIT', { context: 'service' }), 1, ({ unit }) => unit, { flexible: true }),
}

/** A hardened service cannot create its folder outside the folders that systemd manages. @throws UsageError */
function refuseMissing({ config: { data } }: CommandEnvironment): void {
  if (data === configOptions.data.default || existsSync(data)) return
  throw new UsageError(
    fillTemplate(words('--data {data} is not there: make it, for the user of the service.'), { data }),
  )
}

/** Returns the running program, as an absolute path that services can also find. */
const program = () =>
  path.join(path.dirname(createRequire(import.meta.url).resolve('weir-gateway/package.json')), 'bin', 'weir.js')

const install = command({
  name: 'install',
  here: true,
  output: { view: serviceView, many: false },
  summary: words('Run `weir serve` with systemd, now and at every boot'),
  details: fillTemplate(
    words(
      "Options of `weir serve` that are given here, or by variables, go into the unit. The address of a database and the master secret ({env}) go into a file next to it that only its owner can read; of a file that {env2} or {env3} names, only its place does. Without --data the folder is systemd's own (/var/lib/weir), or ~/.local/share/weir for a unit of a user; a system unit runs as a user that systemd makes up, or as --run-as. The unit may write into its data folder and nowhere else.",
    ),
    {
      env: secretVariable.env,
      env2: toFileVariable(secretVariable.env),
      env3: toFileVariable(configOptions.database.env),
    },
  ),
  options: {
    ...serviceUnitKinds,
    ...listenAddressOptions,
    workers: {
      flag: '--workers <count>',
      help: words('processes that share the port, as of `weir serve`'),
    },
    runAs: { flag: '--run-as <user>', help: words('user of a system unit') },
    print: { flag: '--print', help: words('print the unit and change nothing') },
    dryRun: { flag: '--dry-run', help: words('the same as --print') },
    yes: { flag: '--yes', help: words('do not ask') },
  },
  async run(surroundings) {
    const { ask, env, options, print } = surroundings
    const place = resolveServicePlace(options, surroundings)
    const { content, variables } = buildUnit(place, surroundings, options)
    if (options.print || options.dryRun) return print.text(content, { unit: place.unit, content })
    requireSystemd()
    const sure = requireConfirmation(ask, options.yes, words('install the service'))
    refuseForeignUnits(place)
    refuseMissing(surroundings)
    print.say(asUntranslatedText(content))
    await sure(
      fillTemplate(
        existsSync(place.unit) ? words('Rewrite {unit} and restart it?') : words('Write {unit} and start it?'),
        { unit: place.unit },
      ),
    )
    if (variables.length > 0) {
      await mkdir(path.dirname(place.variables), { recursive: true, mode: 0o700 })
      await rm(place.variables, { force: true })
      await writeFile(place.variables, `${variables.join('\n')}\n`, { mode: 0o600 })
    }
    await mkdir(path.dirname(place.unit), { recursive: true })
    await writeFile(place.unit, content, { mode: 0o644 })
    const done = await runCommands(place, surroundings, [
      ['daemon-reload'],
      ['enable', place.name],
      ['restart', place.name],
    ])
    const how = formatSystemctlCommand(place.kind, ['status', place.name]).join(' ')
    await print.done(await look(place, env), serviceView, {
      human: done
        ? fillTemplate(place.kind === 'user' ? RUNS_FOR_USER : RUNS, { name: place.name, how })
        : fillTemplate(words('Wrote {unit}.'), { unit: place.unit }),
      quietOutput: place.unit,
    })
  },
})

const RUNS = words('Weir runs as {name}.service: {how}')
const RUNS_FOR_USER = words(
  'Weir runs as {name}.service while you are signed in (always: loginctl enable-linger): {how}',
)

type UnitFlags = { host?: string; port?: string; workers?: string; runAs?: string }

/** Builds the unit, and the private file of variables. @throws UsageError, ConfigError */
function buildUnit(
  { name, kind, variables }: ServicePlace,
  { config, env, print }: CommandEnvironment,
  flags: UnitFlags,
) {
  const { host, port, base_path, data, database, log_level, secret } = config
  const { metrics_port, metrics_host = configOptions.metrics_host.default } = config
  const options = Object.entries({
    host,
    port: String(port),
    base_path: base_path ?? '/',
    log_level,
    ...(metrics_port === undefined ? {} : { metrics_port: String(metrics_port), metrics_host }),
  })
    .filter(([key, value]) => value !== (configOptions as Record<string, { default?: string }>)[key]?.default)
    .flatMap(([key, value]) => [configOptions[key as 'host'].flag.split(' ')[0]!, value])
  if (flags.workers !== undefined) options.push('--workers', flags.workers)
  if (flags.runAs !== undefined && (kind === 'user' || !/^[\w.-]+$/.test(flags.runAs)))
    throw new UsageError(words('--run-as names the user of a system unit.'))
  const usual = data === configOptions.data.default
  if (!usual && kind === 'system' && flags.runAs === undefined)
    throw new UsageError(
      words('--data needs --run-as USER, whose folder it is; without both the folder is /var/lib, kept by systemd.'),
    )
  const ownData = path.join(env.XDG_DATA_HOME || path.join(env.HOME ?? '/', '.local', 'share'), name)
  const node = realpathSync(process.execPath)
  const home = [node, program()].find((file) => file.startsWith('/root/') || file.includes('/_npx/'))
  if (home !== undefined && kind === 'system')
    print.warn(
      fillTemplate(
        words(
          '{home} is in a place that is private or goes away: install Node and Weir for everybody (npm install -g weir-gateway).',
        ),
        { home },
      ),
    )
  const hidden = { [configOptions.database.env]: database, [secretVariable.env]: secret }
  const secretFiles = Object.fromEntries(
    Object.keys(hidden).flatMap((key) => {
      const file = env[toFileVariable(key)]
      return file ? [[toFileVariable(key), path.resolve(file)]] : []
    }),
  )
  const content = formatServiceUnit({
    name,
    kind,
    node,
    program: program(),
    options,
    variables,
    secretFiles,
    runAs: flags.runAs,
    data: usual ? (kind === 'user' ? ownData : undefined) : path.resolve(data),
    lowPort: port > 0 && port < 1024,
  })
  const lines = Object.entries(hidden).flatMap(([key, value]) =>
    value === undefined || toFileVariable(key) in secretFiles ? [] : [formatVariableLine(key, value)],
  )
  return { content, variables: lines }
}

/** Runs the commands one after the other. If systemd is not available, prints the commands to type. */
async function runCommands(
  { kind }: ServicePlace,
  { env, print }: CommandEnvironment,
  acts: string[][],
): Promise<boolean> {
  const systemd = createSystemd(kind, env)
  for (const [at, act] of acts.entries()) {
    const why = await systemd.act(act)
    if (why === undefined) continue
    const left = acts.slice(at).map((one) => `  ${formatSystemctlCommand(kind, one).join(' ')}`)
    print.warn(fillTemplate(words('systemd did not do it: {why}. Left to do:'), { why }))
    print.warn(asUntranslatedText(left.join('\n')))
    return false
  }
  return true
}

async function look({ name, kind, unit }: ServicePlace, env: CommandEnvironment['env']): Promise<ServiceRow> {
  const properties = ['ActiveState', 'UnitFileState', 'StateChangeTimestamp']
  const seen = await createSystemd(kind, env).show(`${name}.service`, properties)
  const since = Date.parse((seen?.StateChangeTimestamp ?? '').replace(/^\w+ ([\d-]+ [\d:]+).*$/, '$1'))
  return {
    name,
    kind,
    unit,
    installed: isOwnServiceUnit(unit),
    enabled: seen?.UnitFileState || null,
    state: seen?.ActiveState || null,
    since: Number.isNaN(since) ? 0 : since / 1000,
  }
}

const uninstall = command({
  name: 'uninstall',
  here: true,
  output: { view: serviceView, many: false },
  summary: words('Stop the service and remove its unit; data and secrets stay'),
  options: { ...serviceUnitKinds, yes: { flag: '--yes', help: words('do not ask') } },
  async run(surroundings) {
    const { ask, env, options, print } = surroundings
    requireSystemd()
    const place = resolveServicePlace(options, surroundings)
    const sure = requireConfirmation(ask, options.yes, words('remove the service'))
    if (!existsSync(place.unit))
      throw new GatewayRefusal(fillTemplate(words('{unit} not found.'), { unit: place.unit }), 'service.missing')
    refuseForeignUnits(place)
    await sure(fillTemplate(words('Stop {name} and delete {unit}?'), { ...place }))
    await runCommands(place, surroundings, [['disable', '--now', place.name]])
    await rm(place.unit)
    await runCommands(place, surroundings, [['daemon-reload']])
    const variablesNote = existsSync(place.variables)
      ? fillTemplate(words(' {variables} also stays: the data cannot be read without it.'), {
          variables: place.variables,
        })
      : EMPTY_WORDS
    await print.done(await look(place, env), serviceView, {
      human: fillTemplate(words('Removed {unit}. The data folder stays.{note}'), {
        unit: place.unit,
        note: variablesNote,
      }),
      quietOutput: place.unit,
    })
  },
})

const status = command({
  name: 'status',
  isDefault: true,
  readOnly: true,
  here: true,
  output: { view: serviceView, many: false },
  summary: words('Show whether the service is installed and running'),
  options: serviceUnitKinds,
  async run(surroundings) {
    const { env, options, print } = surroundings
    const service = await look(resolveServicePlace(options, surroundings), env)
    await print.one(service, serviceView, { quietOutput: service.state ?? '' })
  },
})

export const serviceCommand = group({
  name: 'service',
  summary: words('Weir as a service of systemd'),
  commands: [status, install, uninstall],
})
