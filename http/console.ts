// The built console: its files, and its page for every address that is none of the API's.
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
  return async (context) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return
    const hashed = context.path.startsWith('/assets/')
    const isFile = hashed || (/\.\w+$/.test(context.path) && existsSync(join(root, context.path)))
    if (isFile) {
      await send(context, context.path, { root, maxage: hashed ? ONE_YEAR_MS : 0, immutable: hashed }).catch(() => {
        context.status = 404
      })
      return
    }
    context.type = 'html'
    context.set('cache-control', 'no-cache')
    context.body = page
  }
}
