// Is there a newer version? Asked at the address that the operator set, the guarded way.
import { z } from 'zod'
import { fail } from '../errors.ts'
import { parseJsonBody, type Web } from '../ports/web.ts'

const Release = z.object({ tag_name: z.string().max(100), body: z.string().default('') })
const TIMEOUT_MS = 10_000
const LONGEST_BODY = 20_000

/** @throws GatewayError release.unset, release.failed */
export async function latestRelease(web: Web, url: string, current: string) {
  if (url === '') fail('release.unset')
  const headers = { accept: 'application/json', 'user-agent': 'weir' }
  const reply = await web
    .send({ method: 'GET', url, headers, timeout_ms: TIMEOUT_MS })
    .catch((cause: unknown) => fail('release.failed', {}, { cause }))
  const release = Release.safeParse(parseJsonBody(reply))
  if (reply.status !== 200 || !release.success) fail('release.failed')
  const { tag_name, body } = release.data
  return { current, tag_name, body: body.slice(0, LONGEST_BODY), newer: isNewer(tag_name, current) }
}

/** Compares `v1.2.3` number by number; what is behind a dash counts as older than nothing. */
export function isNewer(tag: string, current: string): boolean {
  const numbers = (version: string) => (/^v?(\d+(?:\.\d+)*)/i.exec(version)?.[1] ?? '0').split('.').map(Number)
  const [latest, installed] = [numbers(tag), numbers(current)]
  for (let place = 0; place < Math.max(latest.length, installed.length); place += 1) {
    const difference = (latest[place] ?? 0) - (installed[place] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return current.includes('-') && !tag.includes('-')
}
