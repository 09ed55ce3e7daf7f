// The location of a service's unit, and its owner.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fillTemplate } from '../core/errors.ts'
import type { CommandEnvironment } from './command.ts'
import { GatewayRefusal, UsageError } from './failure.ts'
import { words } from './texts.ts'

// The systemd unit of a Weir, as text: hardened, and without secrets.

export interface ServiceUnit {
  name: string
  /** `system` starts at boot under a separate user; `user` runs as the signed-in user. */
  kind: 'system' | 'user'
  /** Absolute paths. */
  node: string
  program: string
  /** Options of `weir serve`. */
  options: readonly string[]
  /** An absolute path; undefined for the state folder that systemd manages. */
  data?: string | undefined
  /** User of a system unit; undefined for a dynamic user of systemd. */
  runAs?: string | undefined
  /** Path of the file with variables that only its owner may read. */
  variables: string
  /** Secret files by the variable that names each. For a system unit, systemd reads them. */
  secretFiles: Readonly<Record<string, string>>
  /** True if it listens on a port below 1024. */
  lowPort: boolean
}

/** The first line of every generated unit. Units without it are neither removed nor overwritten. */
export const UNIT_FILE_MARK = '# Written by `weir service install`; `weir service uninstall` takes it out.'

/** Longer than a model may take for an answer, because open calls are finished first. */
const STOP_SECONDS = 300

/** Quotes a value for a unit if needed, and prevents expansion. @throws Error for a control character */
export function quoteUnitWord(text: string): string {
  refuseControls(JSON.stringify(text), text)
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w@%+=:,./$-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`
}

/** Formats a line of a file of variables. @throws Error for a control character */
export function formatVariableLine(name: string, value: string): string {
  refuseControls(name, value)
  return `${name}="${value.replace(/["\\$`]/g, '\\$&')}"`
}

/** Rejects control characters, which could end the line and start another. */
function refuseControls(what: string, text: string): void {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Error(`${what} has a control character in it.`)
}

const IN_HOMES = /^\/(home|root|run\/user)\//

export function formatServiceUnit(unit: ServiceUnit): string {
  const { name, kind, node, program, options, data, variables } = unit
  const folder = data ?? `%S/${name}`
  const words = [node, program, 'serve', '--data', folder, ...options]
  const start = words.map((word) => (word === folder && data === undefined ? word : quoteUnitWord(word))).join(' ')
  const lines = [
    UNIT_FILE_MARK,
    '[Unit]',
    'Description=Weir, an AI model gateway',
    ...(kind === 'system' ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${start}`,
    `EnvironmentFile=-${quoteUnitWord(variables)}`,
    'Environment=NODE_ENV=production',
    ...secretLines(unit),
    'Restart=on-failure',
    'RestartSec=2',
    'KillMode=mixed',
    `TimeoutStopSec=${STOP_SECONDS}`,
    'UMask=0077',
    ...(kind === 'system' ? systemLines(unit) : []),
    ...EVERYWHERE,
    '',
    '[Install]',
    `WantedBy=${kind === 'system' ? 'multi-user.target' : 'default.target'}`,
  ]
  return `${lines.join('\n')}\n`
}

/** Passes secrets through systemd, because a dynamic user cannot read files of root. */
const secretLines = ({ kind, secretFiles }: ServiceUnit) =>
  Object.entries(secretFiles).flatMap(([variable, file]) =>
    kind === 'system'
      ? // The rest of the line is the path: systemd takes no quotes there.
        [`LoadCredential=${variable}:${file.replaceAll('%', '%%')}`, `Environment=${variable}=%d/${variable}`]
      : [`Environment=${quoteUnitWord(`${variable}=${file}`)}`],
  )

/**
 * Restrictions that suit every process of one user. MemoryDenyWriteExecute is left out, because Node compiles at run
 * time.
 */
const EVERYWHERE = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictNamespaces=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
]

function systemLines({ name, node, program, data, runAs, lowPort }: ServiceUnit): string[] {
  const inHomes = [node, program, data ?? ''].some((place) => IN_HOMES.test(place))
  return [
    ...(runAs === undefined ? ['DynamicUser=yes'] : [`User=${quoteUnitWord(runAs)}`]),
    ...(data === undefined
      ? [`StateDirectory=${name}`, 'StateDirectoryMode=0700', `WorkingDirectory=%S/${name}`]
      : [`WorkingDirectory=${quoteUnitWord(path.dirname(data))}`, `ReadWritePaths=${quoteUnitWord(data)}`]),
    'ProtectSystem=strict',
    `ProtectHome=${inHomes ? 'read-only' : 'yes'}`,
    'ProtectProc=invisible',
    'ProtectClock=yes',
    'ProtectHostname=yes',
    'ProtectKernelLogs=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelTunables=yes',
    'ProtectControlGroups=yes',
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    'RemoveIPC=yes',
    lowPort ? 'AmbientCapabilities=CAP_NET_BIND_SERVICE' : 'PrivateUsers=yes',
    `CapabilityBoundingSet=${lowPort ? 'CAP_NET_BIND_SERVICE' : ''}`,
  ]
}

/** The kinds of units. */
export const serviceUnitKinds = {
  system: {
    flag: '--system',
    help: words('a system unit (default for root)'),
  },
  user: {
    flag: '--user',
    help: words('a unit of this user (default for all others)'),
  },
  name: { flag: '--name <name>', help: words('name of the unit (default: weir)') },
} as const

const NAME = /^[a-z][\w-]{0,60}$/i

export interface ServicePlace {
  name: string
  kind: 'system' | 'user'
  /** Paths of the unit and of its file of variables. */
  unit: string
  variables: string
}

/** @throws UsageError */
export function resolveServicePlace(
  { system, user, name = 'weir' }: Chosen,
  { env, server }: CommandEnvironment,
): ServicePlace {
  if (server !== undefined)
    throw new UsageError(words('service manages this machine and does not accept --server (WEIR_SERVER).'))
  if (system && user) throw new UsageError(words('--system and --user exclude each other.'))
  if (!NAME.test(name)) throw new UsageError(words('--name accepts letters, digits and dashes.'))
  if (system || (!user && process.getuid?.() === 0))
    return { name, kind: 'system', unit: `/etc/systemd/system/${name}.service`, variables: `/etc/weir/${name}.env` }
  const home = env.XDG_CONFIG_HOME || (env.HOME && path.join(env.HOME, '.config'))
  if (!home) throw new UsageError(words('HOME is not set.'))
  const unit = path.join(home, 'systemd', 'user', `${name}.service`)
  return { name, kind: 'user', unit, variables: path.join(home, 'weir', `${name}.env`) }
}
type Chosen = { system?: boolean; user?: boolean; name?: string }

/** @throws Refusal */
export function requireSystemd(): void {
  if (process.platform === 'linux') return
  throw new GatewayRefusal(
    words(
      'weir service installs units of systemd, on Linux. Elsewhere have your own service manager (launchd, a task of Windows) run `weir serve`; `weir service install --print` shows the unit.',
    ),
    'service.systemd',
  )
}

export const isOwnServiceUnit = (unit: string) =>
  existsSync(unit) && readFileSync(unit, 'utf8').startsWith(UNIT_FILE_MARK)

/** @throws Refusal */
export function refuseForeignUnits({ unit }: ServicePlace): void {
  if (!existsSync(unit) || isOwnServiceUnit(unit)) return
  throw new GatewayRefusal(
    fillTemplate(words('{unit} was not written by Weir and is not changed. Choose another --name.'), { unit }),
    'service.others',
  )
}

// The systemctl commands of `weir service`.

type ServiceVariables = Record<string, string | undefined>

export interface Systemd {
  /** Runs one command. Returns the error, or undefined. */
  act(words: readonly string[]): Promise<string | undefined>
  /** Returns properties of a unit; null if systemd does not answer. */
  show(unit: string, properties: readonly string[]): Promise<Record<string, string> | null>
}

const SYSTEMCTL_TIMEOUT_MS = 20_000

/** Returns the equivalent command line for people. */
export const formatSystemctlCommand = (kind: 'system' | 'user', words: readonly string[]): string[] => [
  'systemctl',
  ...(kind === 'user' ? ['--user'] : []),
  ...words,
]

export function createSystemd(kind: 'system' | 'user', env: ServiceVariables): Systemd {
  const run = (words: readonly string[]) =>
    new Promise<{ output: string; failure?: string }>((resolve) => {
      const [program = '', ...args] = formatSystemctlCommand(kind, words)
      execFile(program, args, { env, timeout: SYSTEMCTL_TIMEOUT_MS }, (error, stdout, stderr) => {
        if (!error) return resolve({ output: stdout })
        const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
        resolve({ output: stdout, failure: missing ? 'systemctl is not there' : stderr.trim() || error.message })
      })
    })
  return {
    act: async (words) => (await run(words)).failure,
    async show(unit, properties) {
      const { output, failure } = await run(['show', unit, '--property', properties.join(',')])
      if (failure !== undefined) return null
      const pairs = output.split('\n').map((line) => /^(\w+)=(.*)$/.exec(line))
      return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1]!, pair[2]!]] : [])))
    },
  }
}
