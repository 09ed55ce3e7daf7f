// Checks of the machine: Node, a writable folder, disk space, a free port.
import { constants } from 'node:fs'
import { access, chmod, readdir, stat, statfs, unlink } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { socketPath } from '../../core/adapters/socket-path.ts'
import type { Config } from '../../core/config.ts'
import { fillTemplate, words } from '../../core/errors.ts'
import { localAddress } from '../../core/config.ts'
import { httpSend } from '../http-send.ts'
import { asData } from '../language.ts'
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

/** Runs the checks that need no gateway. */
export async function checkHost(config: Config, { serverRuns }: { serverRuns: boolean }): Promise<Finding[]> {
  const server = serverRuns || (await isWeir(localAddress(config)))
  return [
    checkNode(process.versions.node),
    await checkFolder(config.data),
    ...(await checkPrivacy(config.data)),
    await checkRoom(config.data),
    ...(serverRuns ? [] : await checkSocket(config)),
    ...(server
      ? [ok('server', words('running', '正在运行'))]
      : [warn('server', words('not running', '未运行'), asData('weir serve')), await checkPort(config)]),
  ]
}

/** Checks that this version of Node is supported. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const recent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  const oldest = OLDEST_NODE.join('.')
  return recent
    ? ok('node', asData(version))
    : failed('node', asData(version), words(`install Node ${oldest} or later`, `安装 Node ${oldest} 或更高版本`))
}

async function checkFolder(data: string): Promise<Finding> {
  const folder = path.resolve(data)
  const there = await stat(folder).catch(() => null)
  if (there && !there.isDirectory())
    return failed(
      'data folder',
      words(`${folder} is not a folder`, `${folder} 不是目录`),
      words('name another with --data (WEIR_DATA)', '用 --data（WEIR_DATA）指定其他目录'),
    )
  const place = there ? folder : await nearestFolder(folder)
  const writable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable)
    return failed(
      'data folder',
      words(`${place} is not writable`, `${place} 不可写`),
      words(
        'give this user the right to write there, or name another with --data (WEIR_DATA)',
        '授予当前用户写权限，或用 --data（WEIR_DATA）指定其他目录',
      ),
    )
  return there
    ? ok('data folder', asData(folder))
    : warn(
        'data folder',
        words(`${folder} is not there yet`, `${folder} 尚不存在`),
        words('weir init makes it', 'weir init 会创建它'),
      )
}

/** Returns the files of Weir that other users of this machine can access; empty if there are no files yet. */
export async function checkPrivacy(data: string): Promise<Finding[]> {
  const folder = path.resolve(data)
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^(weir\.|logs\.db)/.test(name))
  if (names.length === 0 || process.platform === 'win32') return []
  const mode = async (file: string) => (await stat(file).catch(() => null))?.mode ?? 0
  const isShut = ((await mode(folder)) & ENTER_OF_OTHERS) === 0
  const modes = await Promise.all(names.map(async (name) => ({ name, mode: await mode(path.join(folder, name)) })))
  const open = modes.filter((file) => (file.mode & ALL_OF_OTHERS) !== 0).map(({ name }) => name)
  if (open.length === 0)
    return [
      ok('private files', words("the data folder's files are their owner's alone", '数据目录中的文件仅限其所有者')),
    ]
  const fileList = open.join(', ')
  const found = words(`${fileList} may be used by others than their owner`, `其他用户可使用 ${fileList}`)
  const isKeyOpen = open.some((name) => name.startsWith('weir.key'))
  const files = open.map((name) => path.join(folder, name))
  const fix = asData(`chmod 600 ${files.join(' ')}`)
  const repair = {
    what: isShut || !isKeyOpen ? TO_OWNER : TO_OWNER_AND_ROTATE,
    run: async () => void (await Promise.all(files.map((file) => chmod(file, 0o600)))),
  }
  if (isShut)
    return [
      warn(
        'private files',
        fillTemplate(words('{found}; the folder itself keeps them out', '{found}；目录本身阻止了他们'), { found }),
        fix,
        {
          repair,
        },
      ),
    ]
  return [failed('private files', found, isKeyOpen ? fillTemplate(KEY_MAY_BE_KNOWN, { fix }) : fix, { repair })]
}

const TO_OWNER = words('keep them to their owner (mode 600)', '仅限其所有者使用（模式 600）')
const TO_OWNER_AND_ROTATE = words(
  'keep them to their owner (mode 600); the key may be known, so rotate the secret afterwards',
  '仅限其所有者使用（模式 600）；密钥可能已泄露，之后请更换主密钥',
)
const KEY_MAY_BE_KNOWN = words(
  '{fix}, then weir secret rotate: the key may be known',
  '{fix}，然后 weir secret rotate：密钥可能已泄露',
)

/** Checks for a socket left by a crashed server. The next server also removes it. */
async function checkSocket(config: Config): Promise<Finding[]> {
  const file = socketPath(config)
  if (process.platform === 'win32' || !(await stat(file).catch(() => null))) return []
  const fix = asData(`rm ${file}`)
  const repair = { what: words('delete it', '删除它'), run: () => unlink(file) }
  const found = words(`${file} was left by a server that died`, `${file} 是异常退出的服务器留下的`)
  return [warn('socket', found, fix, { repair })]
}

async function checkRoom(data: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestFolder(path.resolve(data)))
  const free = Math.floor((bavail * bsize) / MEGABYTE)
  const left = free >= 1024 ? `${(free / 1024).toFixed(1)} GB` : `${free} MB`
  const found = words(`${left} free`, `剩余 ${left}`)
  if (free < NO_ROOM_MB)
    return failed('disk space', found, words('make room: the database cannot grow', '请清理空间：数据库无法增长'))
  return free < LITTLE_ROOM_MB
    ? warn('disk space', found, words('make room soon', '请尽快清理空间'))
    : ok('disk space', found)
}

/** Checks that the server can listen on the configured address. */
export function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding> {
  const place = `${host}:${port}`
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const found =
        error.code === 'EADDRINUSE'
          ? words(`${place} is in use`, `${place} 已被占用`)
          : words(`${place} cannot be used (${error.code})`, `${place} 无法使用（${error.code}）`)
      const fix = words('choose another with --port (PORT) or --host (HOST)', '用 --port（PORT）或 --host（HOST）另选')
      resolve(failed('port', found, fix))
    })
    probe.listen(port, host, () => probe.close(() => resolve(ok('port', words(`${place} is free`, `${place} 可用`)))))
  })
}

/** Detects a server by the response at its address, because a server on PostgreSQL has no socket for the terminal. */
const isWeir = (server: string): Promise<boolean> =>
  httpSend({ server, language: 'en', label: asData(server), patience_ms: PROBE_MS })(
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
