// The built console: its files, and its page for every address that is none of the API's.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Middleware } from 'koa'
import send from 'koa-send'

const ONE_YEAR_MS = 365 * 24 * 3600 * 1000

/** The console's folder, from source and from the build alike. */
function consoleFolder(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  return [join(here, '../console'), join(here, '../dist/console')].find((folder) => existsSync(join(folder, 'assets')))
}

/** What looks like a file never gets the page: an ending of letters, a hidden name, or the folder of built files. */
const FILE = /^\/assets(\/|$)|\/\.|\.[a-z][a-z0-9]{0,9}$/i
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/

/** Files with a hash in their name are kept for a year, the page never. `basePath` ends with a slash. */
export function consoleFiles(basePath: string): Middleware {
  const root = consoleFolder()
  if (!root) {
    return async (context) => {
      context.status = 503
      context.body = 'The console is not built. Run: npm run build'
    }
  }
  const page = readFileSync(join(root, 'index.html'), 'utf8').replace(/<base href="[^"]*"/, `<base href="${basePath}"`)
  const etag = `W/"${createHash('sha256').update(page).digest('base64url')}"`
  return async (context) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return
    if (FILE.test(context.path)) {
      const hashed = HASHED.test(context.path)
      await send(context, context.path, { root, maxage: hashed ? ONE_YEAR_MS : 0, immutable: hashed }).catch(() => {
        context.status = 404
      })
      return
    }
    context.type = 'html'
    context.set({ 'cache-control': 'no-cache', etag })
    context.body = page
  }
}
