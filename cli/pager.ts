// Long results through the person's pager, where they have one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const USUAL = 'less'

/** Shows text through a pager where it is longer than the terminal; gives false where it must be written as it is. */
export const pagerOf =
  (env: Record<string, string | undefined>, stdout: { rows?: number }) =>
  async (text: string): Promise<boolean> => {
    const pager = env.WEIR_PAGER ?? env.PAGER ?? USUAL
    const rows = stdout.rows ?? Infinity
    if (pager === '' || pager === 'cat' || text.split('\n').length <= rows) return false
    // Colours as they are, no clearing, and an end where all of it fits.
    const child = spawn(pager, {
      shell: true,
      stdio: ['pipe', 'inherit', 'ignore'],
      env: { ...env, LESS: env.LESS ?? 'FRX' },
    })
    // Somebody who has read enough closes it before its end.
    child.stdin.on('error', () => undefined)
    child.stdin.end(text)
    const [code] = (await once(child, 'close')) as [number | null]
    return code !== NOT_FOUND
  }

/** What a shell says of a program that is not there. */
const NOT_FOUND = 127
