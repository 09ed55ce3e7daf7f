// The systemd unit of a Weir, as text: hardened, and with nothing secret in it.
import path from 'node:path'

export interface Unit {
  name: string
  /** `system` runs from boot on as a user of its own; `user` as who is signed in. */
  kind: 'system' | 'user'
  /** Absolute paths. */
  node: string
  program: string
  /** Options of `weir serve`. */
  options: readonly string[]
  /** An absolute path; undefined for the state folder that systemd keeps. */
  data?: string | undefined
  /** Of a system unit; undefined for one that systemd makes up. */
  runAs?: string | undefined
  /** Where variables stand that nobody else may read. */
  variables: string
  /** Files of secrets, by the variable that names each: of a system unit, systemd reads them for it. */
  secretFiles: Readonly<Record<string, string>>
  /** It listens below 1024. */
  lowPort: boolean
}

/** The first line of every unit that we write: no other is taken out or written over. */
export const MARK = '# Written by `weir service install`; `weir service uninstall` takes it out.'

/** Longer than a model may take for an answer: open calls are finished first. */
const STOP_SECONDS = 300

/** A value in a unit: quoted where it must be, and nothing in it is expanded. @throws Error for a control character */
export function unitWord(text: string): string {
  refuseControls(JSON.stringify(text), text)
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w@%+=:,./$-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`
}

/** A line of a file of variables. @throws Error for a control character */
export function variableLine(name: string, value: string): string {
  refuseControls(name, value)
  return `${name}="${value.replace(/["\\$`]/g, '\\$&')}"`
}

/** One would end the line, and begin another. */
function refuseControls(what: string, text: string): void {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Error(`${what} has a control character in it.`)
}

const IN_HOMES = /^\/(home|root|run\/user)\//

export function unitText(unit: Unit): string {
  const { name, kind, node, program, options, data, variables } = unit
  const folder = data ?? `%S/${name}`
  const words = [node, program, 'serve', '--data', folder, ...options]
  const start = words.map((word) => (word === folder && data === undefined ? word : unitWord(word))).join(' ')
  const lines = [
    MARK,
    '[Unit]',
    'Description=Weir, an AI model gateway',
    ...(kind === 'system' ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${start}`,
    `EnvironmentFile=-${unitWord(variables)}`,
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

/** A user that systemd makes up may read no file of root's: systemd hands it what is in it. */
const secretLines = ({ kind, secretFiles }: Unit) =>
  Object.entries(secretFiles).flatMap(([variable, file]) =>
    kind === 'system'
      ? // The rest of the line is the path: systemd takes no quotes there.
        [`LoadCredential=${variable}:${file.replaceAll('%', '%%')}`, `Environment=${variable}=%d/${variable}`]
      : [`Environment=${unitWord(`${variable}=${file}`)}`],
  )

/** Everything that a process of one user may be denied. Not MemoryDenyWriteExecute: Node compiles as it runs. */
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

function systemLines({ name, node, program, data, runAs, lowPort }: Unit): string[] {
  const inHomes = [node, program, data ?? ''].some((place) => IN_HOMES.test(place))
  return [
    ...(runAs === undefined ? ['DynamicUser=yes'] : [`User=${unitWord(runAs)}`]),
    ...(data === undefined
      ? [`StateDirectory=${name}`, 'StateDirectoryMode=0700', `WorkingDirectory=%S/${name}`]
      : [`WorkingDirectory=${unitWord(path.dirname(data))}`, `ReadWritePaths=${unitWord(data)}`]),
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
