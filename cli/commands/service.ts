// `weir service …`: Weir as a service of systemd.
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { configOptions, fileVariable, secretVariable } from '../../core/config.ts'
import { fillTemplate, words } from '../../core/errors.ts'
import { command, group, type CommandEnvironment } from '../command.ts'
import { Refusal, UsageError } from '../failure.ts'
import { asData } from '../language.ts'
import { addressOptions } from '../program.ts'
import { requireConfirmation } from '../confirm.ts'
import {
  createSystemd,
  isOurs,
  kinds,
  needSystemd,
  type Place,
  resolveServicePlace,
  refuseOthers,
  systemctlWords,
  unitText,
  variableLine,
} from '../service.ts'
import { flag, text, time, type View } from '../view.ts'

interface Service {
  name: string
  kind: 'system' | 'user'
  unit: string
  installed: boolean
  enabled: string | null
  state: string | null
  since: number
}

const serviceView: View<Service> = {
  name: text(words('NAME', '名称'), 1, ({ name }) => name, { tone: () => 'strong' }),
  kind: text(words('KIND', '类型'), 1, ({ kind }) => kind),
  installed: flag(words('INSTALLED', '已安装'), 1, ({ installed }) => installed),
  enabled: text(words('AT START', '开机启动'), 2, ({ enabled }) => enabled),
  state: text(words('STATE', '状态'), 1, ({ state }) => state, {
    tone: ({ state }) => (state === 'active' ? 'good' : state === 'failed' ? 'bad' : 'plain'),
  }),
  since: time(words('SINCE', '开始时间'), 2, ({ since }) => since),
  unit: text(words('UNIT', '单元文件'), 1, ({ unit }) => unit, { flexible: true }),
}

/** A hardened service cannot create its folder outside the folders that systemd manages. @throws UsageError */
function refuseMissing({ config: { data } }: CommandEnvironment): void {
  if (data === configOptions.data.default || existsSync(data)) return
  throw new UsageError(
    words(
      `--data ${data} is not there: make it, for the user of the service.`,
      `--data ${data} 不存在：请先为服务用户创建。`,
    ),
  )
}

/** Returns the running program, as an absolute path that services can also find. */
const program = () =>
  path.join(path.dirname(createRequire(import.meta.url).resolve('weir-gateway/package.json')), 'bin', 'weir.js')

const install = command({
  name: 'install',
  here: true,
  output: { view: serviceView, many: false },
  summary: words(
    'Have systemd run `weir serve`, from now on and at every start',
    '由 systemd 运行 `weir serve`，立即生效并开机启动',
  ),
  details: words(
    `Options of \`weir serve\` that are given here, or by variables, go into the unit. The address of a database and the master secret (${secretVariable.env}) go into a file beside it that nobody else may read; of a file that ${fileVariable(secretVariable.env)} or ${fileVariable(configOptions.database.env)} names, only its place does. Without --data the folder is systemd's own (/var/lib/weir), or ~/.local/share/weir for a unit of a user; a system unit runs as a user that systemd makes up, or as --run-as. The unit may write into its data folder and nowhere else.`,
    `此处或通过变量给出的 \`weir serve\` 选项会写入单元。数据库地址和主密钥（${secretVariable.env}）写入旁边仅本人可读的文件；由 ${fileVariable(secretVariable.env)} 或 ${fileVariable(configOptions.database.env)} 指定的文件则只写入其路径。未指定 --data 时使用 systemd 的状态目录（/var/lib/weir），用户单元则为 ~/.local/share/weir；系统单元以 systemd 动态用户或 --run-as 指定的用户运行。单元只能写入其数据目录。`,
  ),
  options: {
    ...kinds,
    ...addressOptions,
    workers: {
      flag: '--workers <count>',
      help: words('processes that share the port, as of `weir serve`', '共用端口的进程数，同 `weir serve`'),
    },
    runAs: { flag: '--run-as <user>', help: words('user of a system unit', '系统单元的运行用户') },
    print: { flag: '--print', help: words('print the unit and change nothing', '只输出单元内容，不作任何更改') },
    dryRun: { flag: '--dry-run', help: words('the same as --print', '与 --print 相同') },
    yes: { flag: '--yes', help: words('do not ask', '不询问') },
  },
  async run(surroundings) {
    const { ask, env, options, print } = surroundings
    const place = resolveServicePlace(options, surroundings)
    const { content, variables } = buildUnit(place, surroundings, options)
    if (options.print || options.dryRun) return print.text(content, { unit: place.unit, content })
    needSystemd()
    const sure = requireConfirmation(ask, options.yes, words('install the service', '安装服务'))
    refuseOthers(place)
    refuseMissing(surroundings)
    print.say(asData(content))
    await sure(
      fillTemplate(
        existsSync(place.unit)
          ? words('Rewrite {unit} and restart it?', '重写 {unit} 并重新启动？')
          : words('Write {unit} and start it?', '写入 {unit} 并启动？'),
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
    const how = systemctlWords(place.kind, ['status', place.name]).join(' ')
    await print.done(await look(place, env), serviceView, {
      human: done
        ? fillTemplate(place.kind === 'user' ? RUNS_FOR_USER : RUNS, { name: place.name, how })
        : words(`Wrote ${place.unit}.`, `已写入 ${place.unit}。`),
      bare: place.unit,
    })
  },
})

const RUNS = words('Weir runs as {name}.service: {how}', 'Weir 已作为 {name}.service 运行：{how}')
const RUNS_FOR_USER = words(
  'Weir runs as {name}.service while you are signed in (always: loginctl enable-linger): {how}',
  'Weir 在您登录期间作为 {name}.service 运行（始终运行：loginctl enable-linger）：{how}',
)

type UnitFlags = { host?: string; port?: string; workers?: string; runAs?: string }

/** Builds the unit, and the private file of variables. @throws UsageError, ConfigError */
function buildUnit({ name, kind, variables }: Place, { config, env, print }: CommandEnvironment, flags: UnitFlags) {
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
    throw new UsageError(words('--run-as names the user of a system unit.', '--run-as 须为系统单元的用户名。'))
  const usual = data === configOptions.data.default
  if (!usual && kind === 'system' && flags.runAs === undefined)
    throw new UsageError(
      words(
        '--data needs --run-as USER, whose folder it is; without both the folder is /var/lib, kept by systemd.',
        '--data 需同时给出 --run-as USER（该目录的所有者）；两者都不给时使用 systemd 管理的 /var/lib。',
      ),
    )
  const ownData = path.join(env.XDG_DATA_HOME || path.join(env.HOME ?? '/', '.local', 'share'), name)
  const node = realpathSync(process.execPath)
  const home = [node, program()].find((file) => file.startsWith('/root/') || file.includes('/_npx/'))
  if (home !== undefined && kind === 'system')
    print.warn(
      words(
        `${home} is in a place that is private or goes away: install Node and Weir for everybody (npm install -g weir-gateway).`,
        `${home} 位于私有或临时位置：请为所有用户安装 Node 和 Weir（npm install -g weir-gateway）。`,
      ),
    )
  const hidden = { [configOptions.database.env]: database, [secretVariable.env]: secret }
  const secretFiles = Object.fromEntries(
    Object.keys(hidden).flatMap((key) => {
      const file = env[fileVariable(key)]
      return file ? [[fileVariable(key), path.resolve(file)]] : []
    }),
  )
  const content = unitText({
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
    value === undefined || fileVariable(key) in secretFiles ? [] : [variableLine(key, value)],
  )
  return { content, variables: lines }
}

/** Runs the commands one after the other. If systemd is not available, prints the commands to type. */
async function runCommands({ kind }: Place, { env, print }: CommandEnvironment, acts: string[][]): Promise<boolean> {
  const systemd = createSystemd(kind, env)
  for (const [at, act] of acts.entries()) {
    const why = await systemd.act(act)
    if (why === undefined) continue
    const left = acts.slice(at).map((one) => `  ${systemctlWords(kind, one).join(' ')}`)
    print.warn(
      fillTemplate(words('systemd did not do it: {why}. Left to do:', 'systemd 未能执行：{why}。仍需执行：'), { why }),
    )
    print.warn(asData(left.join('\n')))
    return false
  }
  return true
}

async function look({ name, kind, unit }: Place, env: CommandEnvironment['env']): Promise<Service> {
  const properties = ['ActiveState', 'UnitFileState', 'StateChangeTimestamp']
  const seen = await createSystemd(kind, env).show(`${name}.service`, properties)
  const since = Date.parse((seen?.StateChangeTimestamp ?? '').replace(/^\w+ ([\d-]+ [\d:]+).*$/, '$1'))
  return {
    name,
    kind,
    unit,
    installed: isOurs(unit),
    enabled: seen?.UnitFileState || null,
    state: seen?.ActiveState || null,
    since: Number.isNaN(since) ? 0 : since / 1000,
  }
}

const uninstall = command({
  name: 'uninstall',
  here: true,
  output: { view: serviceView, many: false },
  summary: words('Stop the service and take its unit out; data and secrets stay', '停止服务并删除单元；数据和密钥保留'),
  options: { ...kinds, yes: { flag: '--yes', help: words('do not ask', '不询问') } },
  async run(surroundings) {
    const { ask, env, options, print } = surroundings
    needSystemd()
    const place = resolveServicePlace(options, surroundings)
    const sure = requireConfirmation(ask, options.yes, words('take the service out', '移除服务'))
    if (!existsSync(place.unit))
      throw new Refusal(words(`${place.unit} not found.`, `没有 ${place.unit}。`), 'service.missing')
    refuseOthers(place)
    await sure(fillTemplate(words('Stop {name} and delete {unit}?', '停止 {name} 并删除 {unit}？'), { ...place }))
    await runCommands(place, surroundings, [['disable', '--now', place.name]])
    await rm(place.unit)
    await runCommands(place, surroundings, [['daemon-reload']])
    const hasVariables = existsSync(place.variables)
      ? words(
          ` ${place.variables} is kept: its data cannot be read without it.`,
          ` 保留 ${place.variables}：没有它无法读取数据。`,
        )
      : words('', '')
    await print.done(await look(place, env), serviceView, {
      human: fillTemplate(
        words('Took {unit} out. The data folder stays.{kept}', '已删除 {unit}。数据目录保留。{kept}'),
        {
          unit: place.unit,
          kept: hasVariables,
        },
      ),
      bare: place.unit,
    })
  },
})

const status = command({
  name: 'status',
  isDefault: true,
  readOnly: true,
  here: true,
  output: { view: serviceView, many: false },
  summary: words('Is it installed, and does it run?', '是否已安装并在运行'),
  options: kinds,
  async run(surroundings) {
    const { env, options, print } = surroundings
    const service = await look(resolveServicePlace(options, surroundings), env)
    await print.one(service, serviceView, { bare: service.state ?? '' })
  },
})

export const service = group({
  name: 'service',
  summary: words('Weir as a service of systemd', '将 Weir 作为 systemd 服务运行'),
  commands: [status, install, uninstall],
})
