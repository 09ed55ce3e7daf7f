// What the machine must give: Node, a folder to write in, room, a free port.
import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import type { Config } from '../../core/config.ts'
import { localAddress } from '../address.ts'
import { httpSend } from '../http-send.ts'
import { contract } from '../../core/contracts.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { failed, ok, warn, type Finding } from './check.ts'

const OLDEST_NODE = [20, 19] as const
const MEGABYTE = 1024 * 1024
const LITTLE_ROOM_MB = 1024
const NO_ROOM_MB = 64
const PROBE_MS = 2000
const ALL_OF_OTHERS = 0o077
const ENTER_OF_OTHERS = 0o011

/** The checks that need no gateway. */
export async function checkHost(config: Config, { serverRuns }: { serverRuns: boolean }): Promise<Finding[]> {
  const server = serverRuns || (await isWeir(localAddress(config)))
  return [
    checkNode(process.versions.node),
    await checkFolder(config.data),
    ...(await checkPrivacy(config.data)),
    await checkRoom(config.data),
    ...(server ? [ok('server', 'running')] : [warn('server', 'not running', 'weir serve'), await checkPort(config)]),
  ]
}

/** Is this Node recent enough? */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const recent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  return recent ? ok('node', version) : failed('node', version, `Install Node ${OLDEST_NODE.join('.')} or later`)
}

async function checkFolder(data: string): Promise<Finding> {
  const folder = path.resolve(data)
  const there = await stat(folder).catch(() => null)
  if (there && !there.isDirectory())
    return failed('data folder', `${folder} is not a folder`, 'Name another with --data (WEIR_DATA)')
  const place = there ? folder : await nearestFolder(folder)
  const writable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable)
    return failed(
      'data folder',
      `${place} is not writable`,
      'Give this user the right to write there, or name another with --data (WEIR_DATA)',
    )
  return there ? ok('data folder', folder) : warn('data folder', `${folder} is not there yet`, 'weir init makes it')
}

/** Files of ours that others on this machine can get at; nothing where there are none yet. */
export async function checkPrivacy(data: string): Promise<Finding[]> {
  const folder = path.resolve(data)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('weir.'))
  if (names.length === 0 || process.platform === 'win32') return []
  const mode = async (file: string) => (await stat(file).catch(() => null))?.mode ?? 0
  const isShut = ((await mode(folder)) & ENTER_OF_OTHERS) === 0
  const modes = await Promise.all(names.map(async (name) => ({ name, mode: await mode(path.join(folder, name)) })))
  const open = modes.filter((file) => (file.mode & ALL_OF_OTHERS) !== 0).map(({ name }) => name)
  if (open.length === 0) return [ok('private files', "the data folder's files are their owner's alone")]
  const found = `${open.join(', ')} may be used by others than their owner`
  const fix = `chmod 600 ${open.map((name) => path.join(folder, name)).join(' ')}`
  if (isShut) return [warn('private files', `${found}; the folder itself keeps them out`, fix)]
  const isKeyOpen = open.some((name) => name.startsWith('weir.key'))
  return [failed('private files', found, isKeyOpen ? `${fix}, then weir secret rotate: the key may be known` : fix)]
}

async function checkRoom(data: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestFolder(path.resolve(data)))
  const free = Math.floor((bavail * bsize) / MEGABYTE)
  const found = free >= 1024 ? `${(free / 1024).toFixed(1)} GB free` : `${free} MB free`
  if (free < NO_ROOM_MB) return failed('disk space', found, 'Make room: the database cannot grow')
  return free < LITTLE_ROOM_MB ? warn('disk space', found, 'Make room soon') : ok('disk space', found)
}

/** Can the server listen where it is told to? */
export function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding> {
  const place = `${host}:${port}`
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const found = error.code === 'EADDRINUSE' ? `${place} is in use` : `${place} cannot be used (${error.code})`
      resolve(failed('port', found, 'Choose another with --port (PORT) or --host (HOST)'))
    })
    probe.listen(port, host, () => probe.close(() => resolve(ok('port', `${place} is free`))))
  })
}

/** A server on PostgreSQL keeps no socket for the terminal: it shows by what answers at its address. */
const isWeir = (server: string): Promise<boolean> =>
  httpSend({ server, language: 'en', label: server, patience_ms: PROBE_MS })(
    'site.status',
    contract.site.status as unknown as Endpoint,
    {},
  ).then(
    () => true,
    () => false,
  )

async function nearestFolder(folder: string): Promise<string> {
  const there = await stat(folder).catch(() => null)
  return there || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder))
}
