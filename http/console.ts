// Serves the built console: its files, and its page for every address that does not belong to the API. All files are listed when the
// server starts, so no path of a request ever reaches the file system. Each is read when it is first requested: together they take 5 MB.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Middleware } from 'koa'
import { buildOnce } from '../core/memoize.ts'

const ONE_YEAR_SECONDS = 365 * 24 * 3600

/** Finds the folder of the built console, whether this runs from source or from the build; undefined if it is not built. */
function consoleFolder(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  return [join(here, '../console'), join(here, '../dist/console')].find((folder) => existsSync(join(folder, 'assets')))
}

interface ServedFile {
  body: string | Buffer
  /** The body as compressed by the build; undefined if it was not compressed. */
  packed?: Buffer
  etag: string
  /** File extension, from which Koa derives the content type. */
  type: string
  cacheControl: string
}

const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/
/** Paths of files, which never get the page: with an extension of letters, a hidden name, or in the folder of built files. */
const FILE = /^\/assets(\/|$)|\/\.|\.[a-z][a-z0-9]{0,9}$/i

/**
 * Serves the console. Files with a hash in their name are cached for a year, the page never without asking. The page is the same for
 * everybody: it carries the public status, so that its first screen needs no request for it, and nothing of a user.
 * @param base the page's base address
 * @param readStatus reads the public status
 */
export function serveConsoleFiles(
  base: string,
  readStatus: () => Promise<unknown>,
  root: string | undefined = consoleFolder(),
): Middleware {
  if (!root) {
    return async (context) => {
      context.status = 503
      context.body = 'The console is not built. Run: npm run build'
    }
  }
  const buildPage = createPageBuilder(root, base, readStatus)
  const files = listFiles(root)
  return async (context) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return
    const file = context.path === PAGE ? buildPage : files.get(context.path)
    const found = file ? await file() : isFile(context.path) ? undefined : await buildPage()
    if (!found) {
      context.status = 404
      return
    }
    context.type = found.type
    context.set({ 'cache-control': found.cacheControl, etag: found.etag })
    if (found.packed) context.vary('Accept-Encoding')
    if (!found.packed || context.acceptsEncodings('br', 'identity') !== 'br') return void (context.body = found.body)
    context.set('content-encoding', 'br')
    context.body = found.packed
  }
}

/** Lists all files, by path. Symbolic links are left out. A file that was removed since is undefined. */
function listFiles(root: string): Map<string, () => ServedFile | undefined> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = entries.map(({ parentPath, name }) => join(parentPath, name))
  return new Map(
    files
      .filter((file) => !file.endsWith(PACKED))
      .map((file) => {
        const path = `/${relative(root, file).split(sep).join('/')}`
        const cacheControl = HASHED.test(path) ? `max-age=${ONE_YEAR_SECONDS},immutable` : 'max-age=0'
        return [path, buildOnce(() => readFile(file, cacheControl, files.includes(file + PACKED)))]
      }),
  )
}

function readFile(file: string, cacheControl: string, isPacked: boolean): ServedFile | undefined {
  if (!existsSync(file)) return undefined
  const found = served(readFileSync(file), basename(file), cacheControl)
  return isPacked ? { ...found, packed: readFileSync(file + PACKED) } : found
}

const PACKED = '.br'

const PAGE = '/index.html'
/** The place of the status in the page: data, which no browser runs. */
const STATUS = '<script id="status" type="application/json">'

/**
 * Returns a function that builds the page, anew only if the status has changed. If the status cannot be read, the page comes without
 * it, and the console asks for it and shows why there is none.
 */
function createPageBuilder(root: string, base: string, readStatus: () => Promise<unknown>) {
  const text = readFileSync(join(root, PAGE), 'utf8').replace(/<base href="[^"]*"/, `<base href="${base}"`)
  let built: { status: string; page: ServedFile } | undefined
  return async (): Promise<ServedFile> => {
    const known = await readStatus().catch(() => null)
    // A text of the operator cannot end the element.
    const status = JSON.stringify(known).replaceAll('<', String.raw`\u003c`)
    if (built?.status !== status) {
      const page = text.replace(STATUS, () => STATUS + status)
      built = { status, page: served(page, PAGE, 'no-cache') }
    }
    return built.page
  }
}

const served = (body: string | Buffer, name: string, cacheControl: string): ServedFile => ({
  body,
  etag: `W/"${createHash('sha256').update(body).digest('base64url')}"`,
  type: name.slice(name.lastIndexOf('.')),
  cacheControl,
})

/** True for a path of a file in any encoding, and for a path that cannot be decoded. */
function isFile(path: string): boolean {
  try {
    const plain = decodeURIComponent(path)
    return FILE.test(plain) || /[\p{Cc}\\]/u.test(plain)
  } catch {
    return true
  }
}
