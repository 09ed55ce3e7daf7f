// Checks of the machine: Node, a writable folder, disk space, a free port.
import { constants } from 'node:fs'
import { access, chmod, readdir, stat, statfs, unlink } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { socketPath } from '../../core/adapters/socket-path.ts'
import { fillTemplate } from '../../core/errors.ts'
import { localAddress, type Config } from '../../core/config.ts'
import { createHttpSend } from '../connection/http-send.ts'
import { asUntranslatedText } from '../language.ts'
import { buildFailedFinding, buildGoodFinding, buildWarningFinding, type DoctorFinding } from './check.ts'
import { words } from '../texts.ts'

const OLDEST_NODE = [20, 19] as const
const MEGABYTE = 1024 * 1024
const LITTLE_ROOM_MB = 1024
const NO_ROOM_MB = 64
const PROBE_MS = 2000
const ALL_OF_OTHERS = 0o077
const ENTER_OF_OTHERS = 0o011

/** Runs the checks that need no gateway. */
export async function checkHostMachine(
  config: Config,
  { serverRuns }: { serverRuns: boolean },
): Promise<DoctorFinding[]> {
  const server = serverRuns || (await isWeir(localAddress(config)))
  return [
    checkNode(process.versions.node),
    await checkFolder(config.data),
    ...(await findExposedFiles(config.data)),
    await checkRoom(config.data),
    ...(serverRuns ? [] : await checkSocket(config)),
    ...(server
      ? [buildGoodFinding('server', words('running'))]
      : [
          buildWarningFinding('server', words('not running'), asUntranslatedText('weir serve')),
          await checkPort(config),
        ]),
  ]
}

/** Checks that this version of Node is supported. */
export function checkNode(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const recent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  const oldest = OLDEST_NODE.join('.')
  return recent
    ? buildGoodFinding('node', asUntranslatedText(version))
    : buildFailedFinding(
        'node',
        asUntranslatedText(version),
        fillTemplate(words('install Node {oldest} or later'), { oldest }),
      )
}

async function checkFolder(data: string): Promise<DoctorFinding> {
  const folder = path.resolve(data)
  const there = await stat(folder).catch(() => null)
  if (there && !there.isDirectory())
    return buildFailedFinding(
      'data folder',
      fillTemplate(words('{folder} is not a folder'), { folder }),
      words('name another with --data (WEIR_DATA)'),
    )
  const place = there ? folder : await nearestFolder(folder)
  const writable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable)
    return buildFailedFinding(
      'data folder',
      fillTemplate(words('{place} is not writable'), { place }),
      words('give this user the right to write there, or name another with --data (WEIR_DATA)'),
    )
  return there
    ? buildGoodFinding('data folder', asUntranslatedText(folder))
    : buildWarningFinding(
        'data folder',
        fillTemplate(words('{folder} is not there yet'), { folder }),
        words('weir init makes it'),
      )
}

/** Returns the files of Weir that other users of this machine can access; empty if there are no files yet. */
export async function findExposedFiles(data: string): Promise<DoctorFinding[]> {
  const folder = path.resolve(data)
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^(weir\.|logs\.db)/.test(name))
  if (names.length === 0 || process.platform === 'win32') return []
  const mode = async (file: string) => (await stat(file).catch(() => null))?.mode ?? 0
  const isShut = ((await mode(folder)) & ENTER_OF_OTHERS) === 0
  const modes = await Promise.all(names.map(async (name) => ({ name, mode: await mode(path.join(folder, name)) })))
  const open = modes.filter((file) => (file.mode & ALL_OF_OTHERS) !== 0).map(({ name }) => name)
  if (open.length === 0)
    return [buildGoodFinding('private files', words("the data folder's files are their owner's alone"))]
  const fileList = open.join(', ')
  const found = fillTemplate(words('{fileList} may be used by others than their owner'), { fileList })
  const isKeyOpen = open.some((name) => name.startsWith('weir.key'))
  const files = open.map((name) => path.join(folder, name))
  const fix = asUntranslatedText(`chmod 600 ${files.join(' ')}`)
  const repair = {
    what: isShut || !isKeyOpen ? TO_OWNER : TO_OWNER_AND_ROTATE,
    run: async () => void (await Promise.all(files.map((file) => chmod(file, 0o600)))),
  }
  if (isShut)
    return [
      buildWarningFinding(
        'private files',
        fillTemplate(words('{found}; the folder itself keeps them out'), { found }),
        fix,
        {
          repair,
        },
      ),
    ]
  return [
    buildFailedFinding('private files', found, isKeyOpen ? fillTemplate(KEY_MAY_BE_KNOWN, { fix }) : fix, { repair }),
  ]
}

const TO_OWNER = words('keep them to their owner (mode 600)')
const TO_OWNER_AND_ROTATE = words(
  'keep them to their owner (mode 600); the key may be known, so rotate the secret afterwards',
)
const KEY_MAY_BE_KNOWN = words('{fix}, then weir secret rotate: the key may be known')

/** Checks for a socket left by a crashed server. The next server also removes it. */
async function checkSocket(config: Config): Promise<DoctorFinding[]> {
  const file = socketPath(config)
  if (process.platform === 'win32' || !(await stat(file).catch(() => null))) return []
  const fix = asUntranslatedText(`rm ${file}`)
  const repair = { what: words('delete it'), run: () => unlink(file) }
  const found = fillTemplate(words('{file} was left by a server that died'), { file })
  return [buildWarningFinding('socket', found, fix, { repair })]
}

async function checkRoom(data: string): Promise<DoctorFinding> {
  const { bavail, bsize } = await statfs(await nearestFolder(path.resolve(data)))
  const free = Math.floor((bavail * bsize) / MEGABYTE)
  const left = free >= 1024 ? `${(free / 1024).toFixed(1)} GB` : `${free} MB`
  const found = fillTemplate(words('{left} free'), { left })
  if (free < NO_ROOM_MB) return buildFailedFinding('disk space', found, words('make room: the database cannot grow'))
  return free < LITTLE_ROOM_MB
    ? buildWarningFinding('disk space', found, words('make room soon'))
    : buildGoodFinding('disk space', found)
}

/** Checks that the server can listen on the configured address. */
export function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<DoctorFinding> {
  const place = `${host}:${port}`
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const found =
        error.code === 'EADDRINUSE'
          ? fillTemplate(words('{place} is in use'), { place })
          : fillTemplate(words('{place} cannot be used ({code})'), { place, code: error.code ?? '' })
      const fix = words('choose another with --port (PORT) or --host (HOST)')
      resolve(buildFailedFinding('port', found, fix))
    })
    probe.listen(port, host, () =>
      probe.close(() => resolve(buildGoodFinding('port', fillTemplate(words('{place} is free'), { place })))),
    )
  })
}

/** Detects a server by the response at its address, because a server on PostgreSQL has no socket for the terminal. */
const isWeir = (server: string): Promise<boolean> =>
  createHttpSend({ server, language: 'en', label: asUntranslatedText(server), patience_ms: PROBE_MS })(
    'site.status',
    {},
  ).then(
    () => true,
    () => false,
  )

async function nearestFolder(folder: string): Promise<string> {
  const there = await stat(folder).catch(() => null)
  return there || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder))
}
